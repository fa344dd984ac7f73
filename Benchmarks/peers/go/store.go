package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	_ "github.com/mattn/go-sqlite3"
)

const (
	searchResultType = "com.apple.corespotlightitem"
	identifierKey    = "kCSSearchableItemActivityIdentifier"
)

// An entity of the Core Data store; a sub-entity shares its root's table.
type entity struct {
	number int
	name   string
	parent int
	byKey  *sql.Stmt
}

type store struct {
	database *sql.DB
	uuid     string
	byName   map[string]*entity
	byNumber map[int]*entity
}

// What opens once an object is known. A sub-entity uses its nearest ancestor's rule.
var commands = map[string]string{"Movie": "openMovieDetail", "FamilyMember": "openFamilyMemberDetail"}

// The tabs of the example, by the activity's title.
var tabs = []string{"Family Members", "Movies"}

func openStore(path string) (*store, error) {
	database, err := sql.Open("sqlite3", "file:"+url.PathEscape(path)+"?mode=ro&_query_only=1")
	if err != nil {
		return nil, err
	}
	// One goroutine asks: more connections would only cost memory.
	database.SetMaxOpenConns(1)
	s := &store{database: database, byName: map[string]*entity{}, byNumber: map[int]*entity{}}
	if err := database.QueryRow("SELECT Z_UUID FROM Z_METADATA").Scan(&s.uuid); err != nil {
		return nil, err
	}
	return s, s.readEntities()
}

func (s *store) readEntities() error {
	rows, err := s.database.Query("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e := new(entity)
		if err := rows.Scan(&e.number, &e.name, &e.parent); err != nil {
			return err
		}
		s.byName[e.name], s.byNumber[e.number] = e, e
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	for _, e := range s.byName {
		if s.ruleOf(e) == nil {
			continue
		}
		query := fmt.Sprintf("SELECT Z_ENT, ZNAME FROM Z%s WHERE Z_PK = ?", strings.ToUpper(s.rootOf(e).name))
		if e.byKey, err = s.database.Prepare(query); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) close() { s.database.Close() }

func (s *store) rootOf(e *entity) *entity {
	for s.byNumber[e.parent] != nil {
		e = s.byNumber[e.parent]
	}
	return e
}

// ruleOf is the entity or its nearest ancestor that has a command.
func (s *store) ruleOf(e *entity) *entity {
	for ; e != nil; e = s.byNumber[e.parent] {
		if _, isRouted := commands[e.name]; isRouted {
			return e
		}
	}
	return nil
}

func (s *store) descends(e *entity, from *entity) bool {
	for ; e != nil; e = s.byNumber[e.parent] {
		if e == from {
			return true
		}
	}
	return false
}

type activity struct {
	ActivityType string                     `json:"activityType"`
	Title        *string                    `json:"title"`
	UserInfo     map[string]json.RawMessage `json:"userInfo"`
}

// Keys in alphabetical order, as the contract has them.
type command struct {
	ActivityType string                 `json:"activityType"`
	Arguments    map[string]interface{} `json:"arguments,omitempty"`
	Command      string                 `json:"command,omitempty"`
	Entity       string                 `json:"entity,omitempty"`
	Handled      bool                   `json:"handled"`
	Kind         string                 `json:"kind"`
	Message      string                 `json:"message,omitempty"`
	Object       string                 `json:"object,omitempty"`
	Reason       string                 `json:"reason,omitempty"`
	Rule         string                 `json:"rule,omitempty"`
}

// resolve answers an activity; an error says that it is malformed, or that the store failed.
func (s *store) resolve(body []byte) ([]byte, error) {
	var a activity
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if a.ActivityType == "" {
		return nil, errors.New("an activity without activityType")
	}
	result := command{ActivityType: a.ActivityType, Kind: "userActivity"}
	var identifier string
	if a.ActivityType == searchResultType && json.Unmarshal(a.UserInfo[identifierKey], &identifier) == nil {
		result.Kind = "searchResult"
		if err := s.open(identifier, &result); err != nil {
			return nil, err
		}
	} else {
		openTab(a, &result)
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(&result); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buffer.Bytes(), "\n"), nil
}

func openTab(a activity, result *command) {
	if a.ActivityType == "com.familymovies.openTab" && a.Title != nil {
		for index, title := range tabs {
			if *a.Title == title {
				result.Handled, result.Command = true, "openTab"
				result.Arguments = map[string]interface{}{"index": index}
				result.Rule = fmt.Sprintf("activities[%d]", index)
				return
			}
		}
	}
	result.Reason, result.Message = "activityNotRouted", "No rule takes this activity."
}

// open finds the object of `x-coredata://UUID/Entity/pKEY` and fills in what opens it.
func (s *store) open(identifier string, result *command) error {
	refuse := func(reason, message string) error {
		result.Reason, result.Message = reason, message
		return nil
	}
	uri, err := url.Parse(identifier)
	if err != nil || uri.Scheme != "x-coredata" {
		return refuse("malformedIdentifier", "The identifier is no object URI.")
	}
	if uri.Host != s.uuid {
		return refuse("unknownStore", "No open store has the UUID "+uri.Host+".")
	}
	entityName, key, isComplete := strings.Cut(strings.TrimPrefix(uri.Path, "/"), "/p")
	primaryKey, err := strconv.ParseInt(key, 10, 64)
	if !isComplete || err != nil {
		return refuse("malformedIdentifier", "The identifier is no object URI.")
	}
	named := s.byName[entityName]
	if named == nil {
		return refuse("unknownEntity", "The store has no entity "+entityName+".")
	}
	if named.byKey == nil {
		return refuse("entityNotRouted", "No rule opens "+entityName+".")
	}
	var number int
	var name sql.NullString
	switch err := named.byKey.QueryRow(primaryKey).Scan(&number, &name); {
	case errors.Is(err, sql.ErrNoRows), err == nil && !s.descends(s.byNumber[number], named):
		return refuse("objectNotFound", fmt.Sprintf("The store has no %s with primary key %d.", entityName, primaryKey))
	case err != nil:
		return err
	}
	own := s.byNumber[number]
	rule := s.ruleOf(own)
	result.Entity, result.Rule = own.name, "entities."+rule.name
	result.Object = fmt.Sprintf("x-coredata://%s/%s/p%d", s.uuid, own.name, primaryKey)
	if !name.Valid {
		return refuse("missingValue", "The object has no name.")
	}
	result.Handled, result.Command = true, commands[rule.name]
	result.Arguments = map[string]interface{}{"name": name.String}
	return nil
}
