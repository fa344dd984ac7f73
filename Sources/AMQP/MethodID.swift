/// The methods of AMQP 0-9-1 that this side reads or writes: the class in the upper, the method in the lower 16 bits.
enum MethodID: UInt32 {
    case connectionClose = 0x000A_0032
    case connectionCloseOK = 0x000A_0033
    case connectionBlocked = 0x000A_003C
    case connectionUnblocked = 0x000A_003D
    case channelClose = 0x0014_0028
    case channelCloseOK = 0x0014_0029
    case basicQoS = 0x003C_000A
    case basicQoSOK = 0x003C_000B
    case basicConsume = 0x003C_0014
    case basicConsumeOK = 0x003C_0015
    case basicCancel = 0x003C_001E
    case basicCancelOK = 0x003C_001F
    case basicPublish = 0x003C_0028
    case basicReturn = 0x003C_0032
    case basicDeliver = 0x003C_003C
    case basicAck = 0x003C_0050
    case basicReject = 0x003C_005A
    case basicNack = 0x003C_0078
}
