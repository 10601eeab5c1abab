//! The operations, as the server runs them.
//!
//! A session is a hash: `x` its expiry, `g` its stage (1: under way), `t` the token of its claim (0: none), `c` the
//! time of the claim, `v` the state. The ids of an owner are in a sorted set, by order of insertion.
//! Sessions under way are in one set, with their owners. Times are in milliseconds.

use ::redis::Script;
use std::sync::LazyLock;

/// Helpers that the scripts begin with.
const HEAD: &str = r"
-- Keeps a key until `slack` after `time`, counted from now where that is past; never shortens.
local function keep(key, time, slack)
  local clock = redis.call('TIME')
  local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
  -- No further than ten years: the server refuses dates beyond its counting.
  local left = math.min(math.max(tonumber(time) - now, 0) + tonumber(slack), 315360000000)
  if redis.call('PTTL', key) < left then
    redis.call('PEXPIRE', key, string.format('%.0f', left))
  end
end
-- A key whose wait was shortened goes earlier.
local function keep_anew(key, time, slack)
  redis.call('PERSIST', key)
  keep(key, time, slack)
end
";

macro_rules! script {
    ($(#[$doc:meta])* $name:ident, $code:literal) => {
        $(#[$doc])*
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| Script::new(&[HEAD, $code].concat()));
    };
}

script!(
    /// Keys: session, ids, counter, under way. Arguments: id, expiry, stage, state, now, member, slack.
    INSERT,
    r"
if redis.call('EXISTS', KEYS[1]) == 1 then return {'taken'} end
local token, since = '0', '0'
local order = redis.call('INCR', KEYS[3])
if ARGV[3] == '1' then
  token, since = tostring(redis.call('INCR', KEYS[3])), ARGV[5]
  redis.call('SADD', KEYS[4], ARGV[6])
end
redis.call('HSET', KEYS[1], 'x', ARGV[2], 'g', ARGV[3], 't', token, 'c', since, 'v', ARGV[4])
redis.call('ZADD', KEYS[2], order, ARGV[1])
keep(KEYS[1], ARGV[2], ARGV[7])
keep(KEYS[2], ARGV[2], ARGV[7])
return {'ok', token}
"
);

script!(
    /// Keys: ids. Arguments: what the session's key begins with, how many at most. Answers id, expiry, …
    LIST,
    r"
local found = {}
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  if #found >= 2 * tonumber(ARGV[2]) then break end
  local expiry = redis.call('HGET', ARGV[1] .. id, 'x')
  if expiry then
    found[#found + 1] = id
    found[#found + 1] = expiry
  else
    redis.call('ZREM', KEYS[1], id)
  end
end
return found
"
);

script!(
    /// Keys: session, ids, counter, under way. Arguments: id, now, claim's age, member, and whether only a
    /// session under way is wanted. Answers token, expiry, stage, state.
    CLAIM,
    r"
local session = redis.call('HMGET', KEYS[1], 'x', 'g', 't', 'c', 'v')
if not session[1] then
  redis.call('SREM', KEYS[4], ARGV[4])
  return {'unknown'}
end
local now = tonumber(ARGV[2])
local under_way = session[2] == '1'
if not under_way then
  redis.call('SREM', KEYS[4], ARGV[4])
  if ARGV[5] == '1' then return {'unknown'} end
end
-- Distance counts in both directions: a clock that was set back must not hold a session for ever.
if session[3] ~= '0' and math.abs(now - tonumber(session[4])) < tonumber(ARGV[3]) then return {'busy'} end
if not under_way and now >= tonumber(session[1]) then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
  return {'expired'}
end
local token = tostring(redis.call('INCR', KEYS[3]))
redis.call('HSET', KEYS[1], 't', token, 'c', ARGV[2])
return {'ok', token, session[1], session[2], session[5]}
"
);

script!(
    /// Keys: session, ids, under way. Arguments: id, token, expiry, stage, state, member, slack. An empty
    /// expiry leaves it as it is.
    WRITE,
    r"
if redis.call('HGET', KEYS[1], 't') ~= ARGV[2] then return {'lost'} end
redis.call('HSET', KEYS[1], 'g', ARGV[4], 'v', ARGV[5])
if ARGV[4] == '1' then
  redis.call('SADD', KEYS[3], ARGV[6])
else
  redis.call('HSET', KEYS[1], 'x', ARGV[3], 't', '0')
  redis.call('SREM', KEYS[3], ARGV[6])
  keep_anew(KEYS[1], ARGV[3], ARGV[7])
  keep(KEYS[2], ARGV[3], ARGV[7])
end
return {'ok'}
"
);

script!(
    /// Keys: session. Arguments: token.
    RELEASE,
    r"
if redis.call('HGET', KEYS[1], 't') ~= ARGV[1] then return {'lost'} end
redis.call('HSET', KEYS[1], 't', '0')
return {'ok'}
"
);

script!(
    /// Keys: session, ids, under way. Arguments: id, token, member.
    CLOSE,
    r"
if redis.call('HGET', KEYS[1], 't') ~= ARGV[2] then return {'lost'} end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[3])
return {'ok'}
"
);

script!(
    /// Keys: ids. Arguments: what the session's key begins with.
    FORGET,
    r"
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  redis.call('DEL', ARGV[1] .. id)
end
redis.call('DEL', KEYS[1])
return {'ok'}
"
);

script!(
    /// Keys: under way. Answers members.
    UNDER_WAY,
    r"return redis.call('SMEMBERS', KEYS[1])"
);

script!(
    /// Keys: entry, entries. Arguments: key, intent, age.
    INTEND,
    r"
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'i', ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
keep(KEYS[1], 0, ARGV[3])
keep(KEYS[2], 0, ARGV[3])
return {'ok'}
"
);

script!(
    /// Keys: entry. Arguments: outcome, result, the outcome that is no certain one.
    CONCLUDE,
    r"
local entry = redis.call('HMGET', KEYS[1], 'i', 'o')
if not entry[1] then return {'unknown'} end
if entry[2] and entry[2] ~= ARGV[3] then return {'taken'} end
redis.call('HSET', KEYS[1], 'o', ARGV[1], 'r', ARGV[2])
return {'ok'}
"
);

script!(
    /// Keys: entry. Answers intent, outcome and result, as far as they are there.
    FIND,
    r"
local entry = redis.call('HMGET', KEYS[1], 'i', 'o', 'r')
if not entry[1] then return {} end
if not entry[2] then return {entry[1]} end
return entry
"
);

script!(
    /// Keys: entries. Arguments: what the entry's key begins with.
    FORGET_ENTRIES,
    r"
for _, key in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  redis.call('DEL', ARGV[1] .. key)
end
redis.call('DEL', KEYS[1])
return {'ok'}
"
);
