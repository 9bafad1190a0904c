// The handler in the Gateway's runtime, with a program and a Gateway of our own, and for each test a home directory.
// Run by test_openclaw.py, in a directory that holds handler.js.

import assert from "node:assert/strict"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, mock, test } from "node:test"

writeFileSync("package.json", '{"type": "module"}')

const KEY = "agent:main:main"
const HISTORY = [
  { role: "user", content: [{ type: "text", text: "Hello." }, { type: "image", data: "x" }], timestamp: 1, __openclaw: { id: "u", seq: 1 } },
  { role: "toolResult", content: [{ type: "text", text: "much output" }], timestamp: 2 },
  { role: "assistant", content: [{ type: "toolCall", name: "write", arguments: { path: "a", content: "long" } }], timestamp: 3 },
]

let home, workspace, memory, handler

// What stands for the Gateway's own command line.
const answerHistory = (text) => writeFileSync(process.argv[1], `console.log(${JSON.stringify(text)})`)

// A program that writes its calls down and answers each one with `answer`.
function program(answer) {
  writeFileSync(join(home, "calls"), "")
  const note = `input=$(cat); printf '%s %s\\n' "$1" "$input" >> '${home}/calls'`
  writeFileSync(join(home, ".local", "share", "hipocampus", "run"), `${note}\ncat <<'END'\n${answer}\nEND\n`)
}

const calls = () =>
  readFileSync(join(home, "calls"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ entry: line.split(" ")[0], ...JSON.parse(line.slice(line.indexOf(" "))) }))
const entries = () => calls().map((call) => call.entry)

async function until(holds) {
  for (let tries = 0; !(await holds()); tries++) {
    assert.ok(tries < 500, "it never came")
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const changeRoot = (text) => writeFileSync(join(memory, "memory", "ROOT.md"), text)

// Each test has a Gateway of its own, which has just loaded the handler.
beforeEach(async () => {
  home = process.env.HOME = mkdtempSync(join(process.cwd(), "home-"))
  workspace = join(home, "workspace")
  memory = join(workspace, ".hipocampus")
  process.argv[1] = join(home, "gateway.mjs")
  mkdirSync(join(memory, "memory"), { recursive: true })
  mkdirSync(join(home, ".local", "share", "hipocampus"), { recursive: true })
  for (const name of ["handler.js", "package.json"]) copyFileSync(name, join(home, name))
  writeFileSync(join(home, "workspaces.json"), JSON.stringify([{ workspace, home: memory }]))
  program('{"context": "the memory"}')
  answerHistory(JSON.stringify({ messages: HISTORY }))
  changeRoot("root")
  handler = (await import(join(home, "handler.js"))).default
})

// One turn: the bootstrap files that the model gets.
async function turn(changes = {}) {
  const context = { workspaceDir: workspace, bootstrapFiles: [], sessionId: "s1", ...changes }
  await handler({ type: "agent", action: "bootstrap", sessionKey: KEY, context, ...changes })
  return context.bootstrapFiles
}

const reset = (action = "new") => {
  const context = { workspaceDir: workspace, previousSessionEntry: { sessionId: "s1" } }
  return handler({ type: "command", action, sessionKey: KEY, context })
}

test("the memory is one file, with what counts for this conversation", async () => {
  const [file, ...rest] = await turn()
  assert.deepEqual(rest, [])
  assert.equal(file.path, join(memory, "memory", "ROOT.md"))
  assert.match(file.content, /^the memory\n\nthe memory\n\n.*HIPOCAMPUS_SESSION=s1 /s)
})

test("the program is asked once as long as the memory is the same, and again when it is not", async () => {
  const [first] = await turn()
  const [second] = await turn()
  assert.equal(second.content, first.content)
  changeRoot("another root")
  await turn()
  const starts = calls().filter((call) => call.entry === "session-start")
  assert.deepEqual(starts.map((call) => call.source), ["startup", "compact"])
})

test("other workspaces, sub-agents, groups, scheduled work and incognito threads get nothing", async () => {
  assert.deepEqual(await turn({ workspaceDir: home }), [])
  const keys = ["subagent:1", "telegram:group:1", "whatsapp:1@g.us", "discord:guild-1:channel-2", "dashboard:incognito-1"]
  for (const sessionKey of [...keys.map((key) => `agent:main:${key}`), "cron:1", "hook:1", undefined])
    assert.deepEqual(await turn({ sessionKey }), [])
  assert.deepEqual(calls(), [])
})

test("switched off it does nothing", async () => {
  process.env.HIPOCAMPUS_DISABLE = "1"
  assert.deepEqual(await turn(), [])
  delete process.env.HIPOCAMPUS_DISABLE
})

test("nothing that comes makes it throw", async () => {
  const events = [undefined, {}, { type: "agent", action: "bootstrap" }, { type: "command", action: "new", context: {} }]
  for (const event of events) await handler(event ?? {})
  assert.deepEqual(entries(), [])
})

test("the history goes to the program without what it does not read", async () => {
  await turn()
  await until(() => entries().includes("checkpoint"))
  const { messages } = calls().find((call) => call.entry === "checkpoint")
  assert.deepEqual(messages, [
    { role: "user", content: [{ type: "text", text: "Hello." }], timestamp: 1, __openclaw: { id: "u" } },
    { role: "assistant", content: [{ type: "toolCall", name: "write", arguments: { path: "a" } }], timestamp: 3, __openclaw: {} },
  ])
})

test("a received prompt is kept at once, or as soon as its session has an id", async () => {
  const receive = (content) =>
    handler({ type: "message", action: "received", sessionKey: KEY, context: { content } })
  await receive("First.")
  assert.deepEqual(entries(), [])
  await turn()
  await receive("Second.")
  await until(() => entries().filter((entry) => entry === "prompt").length === 2)
  const told = calls().filter((call) => call.entry === "prompt")
  assert.deepEqual(told.map((call) => [call.prompt, call.session_id]), [["First.", "s1"], ["Second.", "s1"]])
})

test("a reminder is shown with the next turn, once", async () => {
  await turn()
  program('{"context": "record it"}')
  await handler({ type: "message", action: "received", sessionKey: KEY, context: { content: "Hello." } })
  await until(() => entries().includes("prompt"))
  const shown = async () => (await turn())[0].content.includes("record it")
  await until(shown)
  assert.ok(!(await shown()))
})

test("a reset reads the history first, then folds, and the next turn is a new start", async () => {
  await turn()
  await reset()
  await until(() => entries().includes("session-end"))
  const order = entries().filter((entry) => !["session-start", "hot-files"].includes(entry))
  assert.deepEqual(order.slice(-3), ["checkpoint", "pre-compact", "session-end"])
  assert.equal(calls().at(-1).source, "new")
  await turn()
  assert.equal(calls().findLast((call) => call.entry === "session-start").source, "new")
})

test("a session of an earlier Gateway is kept when it is reset", async () => {
  await reset("reset")
  await until(() => entries().includes("session-end"))
  assert.deepEqual(entries(), ["checkpoint", "pre-compact", "session-end"])
})

test("a history that is refused, because the conversation changes at that moment, is asked for again", async () => {
  const answer = JSON.stringify(JSON.stringify({ messages: HISTORY }))
  const fs = 'import { existsSync, writeFileSync } from "node:fs"'
  const mark = JSON.stringify(join(home, "asked"))
  const refuse = `if (!existsSync(${mark})) { writeFileSync(${mark}, ""); process.exit(1) }`
  writeFileSync(process.argv[1], `${fs}\n${refuse}\nconsole.log(${answer})`)
  await reset("reset")
  await until(() => entries().includes("session-end"))
  assert.deepEqual(entries(), ["checkpoint", "pre-compact", "session-end"])
})

test("a session that was replaced by itself is ended, and its successor is not", async () => {
  await turn({ sessionId: "s2" })
  const context = { workspaceDir: workspace, sessionEntry: { sessionId: "s1" }, reason: "daily" }
  await handler({ type: "session", action: "auto-reset", sessionKey: KEY, context })
  const ended = calls().filter((call) => call.entry === "session-end")
  assert.deepEqual(ended.map((call) => [call.session_id, call.source]), [["s1", "auto-reset"]])
  await turn({ sessionId: "s2" })
  assert.equal(entries().filter((entry) => entry === "session-start").length, 1)
})

test("a conversation that has been still for a minute is kept, after ten minutes it is made into memory", async () => {
  const kept = () => entries().filter((entry) => entry === "checkpoint").length
  await turn()
  await until(() => kept() === 1)
  mock.timers.enable({ apis: ["setTimeout"] })
  try {
    await turn()
    mock.timers.tick(59_000)
    await turn()
    mock.timers.tick(59_000)
    assert.equal(kept(), 1)
    mock.timers.tick(1000)
    while (kept() < 2) await new Promise((resolve) => setImmediate(resolve))
    mock.timers.tick(539_000)
    assert.ok(!entries().includes("pre-compact"))
    mock.timers.tick(1000)
    while (!entries().includes("pre-compact")) await new Promise((resolve) => setImmediate(resolve))
  } finally {
    mock.timers.reset()
  }
})

test("the end of the Gateway ends every session", async () => {
  await turn()
  await turn({ sessionKey: "agent:main:direct:bob", sessionId: "s2" })
  await handler({ type: "gateway", action: "shutdown", sessionKey: "gateway:shutdown", context: {} })
  const ended = calls().filter((call) => call.entry === "session-end")
  assert.deepEqual(ended.map((call) => call.session_id).sort(), ["s1", "s2"])
})

test("a Gateway that does not give its history is complained of, once", async () => {
  const said = mock.method(console, "warn", () => {})
  answerHistory("no JSON")
  await turn()
  await reset()
  await until(() => entries().includes("session-end"))
  assert.deepEqual(said.mock.calls.map((call) => call.arguments[0]), [
    "[hipocampus] the Gateway did not give its history: unknown form",
  ])
  said.mock.restore()
})

test("a history of an unknown shape breaks nothing that comes after it", async () => {
  answerHistory(JSON.stringify({ messages: [null, 7, { role: "user", content: [null, { type: "toolCall", arguments: null }] }] }))
  await turn()
  await until(() => entries().includes("checkpoint"))
  answerHistory(JSON.stringify({ messages: HISTORY, sessionId: "s1" }))
  await reset()
  await until(() => entries().includes("session-end"))
  assert.equal(entries().filter((entry) => entry === "checkpoint").length, 2)
})

test("the history of the session that follows is not kept as that of the one before", async () => {
  answerHistory(JSON.stringify({ messages: HISTORY, sessionId: "s2" }))
  await reset()
  await until(() => entries().includes("session-end"))
  assert.deepEqual(entries(), ["pre-compact", "session-end"])
})

test("a memory that is off is asked for each turn, and shown when it comes on", async () => {
  program("")
  assert.deepEqual(await turn(), [])
  program('{"context": "the memory"}')
  assert.equal((await turn()).length, 1)
})
