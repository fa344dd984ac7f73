#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>

/* The loop that reads the sockets is woken by an eventfd, whose flags are an enumeration in C. */
static const int crabbitmq_wakeup_flags = EFD_NONBLOCK | EFD_CLOEXEC;

/* Declared for _GNU_SOURCE only, without which Swift reads the system's headers. */
int pthread_setname_np(pthread_t thread, const char *name);
static inline void crabbitmq_name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

time_t timegm(struct tm *parts);
int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *signals);
static inline int crabbitmq_poll(struct pollfd *entries, nfds_t count, int64_t nanoseconds) {
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(entries, count, &timeout, NULL);
}

/* amqp_login_with_properties is variadic, which Swift cannot call. EXTERNAL wants a non-empty identity; the broker
   takes the name from the certificate. */
static inline amqp_rpc_reply_t crabbitmq_login(amqp_connection_state_t state, const char *vhost, int channel_max,
                                               int frame_max, int heartbeat, const amqp_table_t *properties,
                                               int external, const char *user, const char *password) {
  if (external)
    return amqp_login_with_properties(state, vhost, channel_max, frame_max, heartbeat, properties,
                                      AMQP_SASL_METHOD_EXTERNAL, "certificate");
  return amqp_login_with_properties(state, vhost, channel_max, frame_max, heartbeat, properties,
                                    AMQP_SASL_METHOD_PLAIN, user, password);
}

/* A macro in OpenSSL. */
static inline int crabbitmq_require_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/* Why the last handshake of this thread refused the peer's certificate; X509_V_OK if it did not. */
static __thread int crabbitmq_verification = X509_V_OK;

/* When the first of the certificates of this thread's last handshake expires; 0 where that is not known. */
static __thread int64_t crabbitmq_expiry = 0;

static inline int64_t crabbitmq_seconds(const ASN1_TIME *time) {
  struct tm parts;
  return time && ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static inline int crabbitmq_note_verification(int is_good, X509_STORE_CTX *store) {
  if (!is_good) crabbitmq_verification = X509_STORE_CTX_get_error(store);
  X509 *certificate = X509_STORE_CTX_get_current_cert(store);
  int64_t expiry = certificate ? crabbitmq_seconds(X509_get0_notAfter(certificate)) : 0;
  if (expiry && (!crabbitmq_expiry || expiry < crabbitmq_expiry)) crabbitmq_expiry = expiry;
  return is_good;
}

static inline void crabbitmq_forget_reasons(void) {
  crabbitmq_verification = X509_V_OK;
  crabbitmq_expiry = 0;
  ERR_clear_error();
}

static inline int64_t crabbitmq_last_expiry(void) { return crabbitmq_expiry; }

/* When the first certificate of a PEM file expires; 0 where there is none that can be read. */
static inline int64_t crabbitmq_file_expiry(const char *path) {
  BIO *file = BIO_new_file(path, "r");
  X509 *certificate = file ? PEM_read_bio_X509(file, NULL, NULL, NULL) : NULL;
  int64_t expiry = certificate ? crabbitmq_seconds(X509_get0_notAfter(certificate)) : 0;
  X509_free(certificate);
  BIO_free(file);
  return expiry;
}

static inline void crabbitmq_verify_peer(SSL_CTX *context) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, crabbitmq_note_verification);
}

static inline int crabbitmq_last_verification(void) { return crabbitmq_verification; }

/* librabbitmq sends the address it connects to as the server name. The name that the handshake shall ask for is the
   context's application data; none is sent when that is NULL (an IP address is not a server name). */
static inline void crabbitmq_set_server_name(const SSL *ssl, int where, int value) {
  (void)value;
  if (where & SSL_CB_HANDSHAKE_START)
    SSL_set_tlsext_host_name((SSL *)ssl, (char *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
}

static inline void crabbitmq_use_server_name(SSL_CTX *context, char *name) {
  SSL_CTX_set_app_data(context, name);
  SSL_CTX_set_info_callback(context, crabbitmq_set_server_name);
}
