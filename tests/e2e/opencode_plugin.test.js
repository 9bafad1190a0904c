// The plugin in the client's runtime, with a client and a program of our own. Run by test_opencode.py.

import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const RUN = join(process.env.HOME, ".local", "share", "hipocampus", "run")
const CALLS = join(process.env.HOME, "calls")
const ID = "ses_1"

const plugin = await import("./hipocampus.js")
// The same file at another place, as for the user beside the project.
writeFileSync("./copy.js", readFileSync("./hipocampus.js"))
const copy = await import("./copy.js")

// A client that knows one session and one of a sub-agent, and remembers what it was told.
function client(changes = {}) {
  const told = { log: [], toast: [] }
  const session = {
    get: async ({ path }) => ({ data: { id: path.id, parentID: path.id === "ses_sub" ? ID : undefined } }),
    messages: async () => ({ data: [] }),
    ...changes,
  }
  const app = { log: async ({ body }) => told.log.push(body.message) }
  const tui = { showToast: async ({ body }) => told.toast.push(body.message) }
  return { session, app, tui, told }
}

// A program that writes its calls down and answers each one with `answer`.
function program(answer, before = "") {
  mkdirSync(join(RUN, ".."), { recursive: true })
  writeFileSync(CALLS, "")
  const note = `input=$(cat); printf '%s %s\\n' "$1" "$input" >> "$HOME/calls"`
  writeFileSync(RUN, `${note}\n${before}\ncat <<'END'\n${answer}\nEND\n`)
}

const calls = () =>
  readFileSync(CALLS, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => ({ entry: line.split(" ")[0], ...JSON.parse(line.slice(line.indexOf(" "))) }))

const prompt = (sessionID = ID) => [
  { sessionID },
  { message: { id: "msg_1" }, parts: [{ id: "prt_1", type: "text", text: "Hello." }] },
]

let hooks = {}
const load = async (given = client(), from = plugin) => (hooks = await from.Hipocampus({ client: given, directory: "/p" }))

beforeEach(() => program("{}"))
afterEach(() => hooks.dispose?.())

test("it exports the plugin and nothing else", () => {
  expect(Object.entries(plugin).map(([name, value]) => [name, typeof value])).toEqual([["Hipocampus", "function"]])
})

test("loaded twice for one directory it serves once, and again after it was let go", async () => {
  const first = await load()
  expect(await copy.Hipocampus({ client: client(), directory: "/p" })).toEqual({})
  await first.dispose()
  expect(Object.keys(await load(client(), copy))).not.toEqual([])
})

test("switched off it has no hooks", async () => {
  process.env.HIPOCAMPUS_DISABLE = "1"
  expect(await load()).toEqual({})
  delete process.env.HIPOCAMPUS_DISABLE
})

test("an answer to a prompt goes behind it, hidden from the user", async () => {
  program('{"context": "noted", "line": "a word"}')
  const given = client()
  await load(given)
  const [input, output] = prompt()
  await hooks["chat.message"](input, output)
  expect(output.parts[1]).toEqual({ id: "prt_1z", sessionID: ID, messageID: "msg_1", type: "text", text: "noted", synthetic: true })
  expect(given.told.toast).toEqual(["a word"])
})

test("the memory joins the first system message, the same each time, and no title", async () => {
  program('{"context": "noted"}')
  await load()
  await hooks["chat.message"](...prompt())
  for (const _ of [1, 2]) {
    const system = ["You are a helper."]
    await hooks["experimental.chat.system.transform"]({ sessionID: ID }, { system })
    expect(system).toEqual(["You are a helper.\n\nnoted\n\nnoted"])
  }
  const title = ["You are a title generator. You output ONLY a thread title."]
  await hooks["experimental.chat.system.transform"]({ sessionID: ID }, { system: title })
  expect(title[0]).not.toContain("noted")
})

test("a sub-agent is not remembered, but its shell finds the command of the session it works for", async () => {
  program('{"context": "noted", "shell": {"PATH": "/bin/ours", "HIPOCAMPUS_HOST": "opencode"}}')
  await load()
  await hooks["chat.message"](...prompt())
  const before = calls().length
  const [input, output] = prompt("ses_sub")
  await hooks["chat.message"](input, output)
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_sub" } } })
  expect(output.parts.length).toBe(1)
  expect(calls().length).toBe(before)
  const env = { PATH: "/usr/bin" }
  await hooks["shell.env"]({ sessionID: "ses_sub" }, { env })
  expect(env).toEqual({ PATH: "/usr/bin:/bin/ours", HIPOCAMPUS_HOST: "opencode" })
})

test("a turn is handed over from its prompt on, without what tools printed", async () => {
  const told = (id, role, ...parts) => ({ info: { id, role, time: { created: 1 } }, parts })
  const state = { status: "completed", input: { filePath: "/p/a", content: "SECRET" }, output: "SECRET" }
  const messages = [
    told("msg_0", "user", { type: "text", text: "Before." }),
    told("msg_1", "user", { type: "text", text: "Hello." }),
    told("msg_2", "assistant", { type: "tool", tool: "write", state }, { type: "text", text: "Done." }),
  ]
  let there = []
  await load(client({ messages: async () => ({ data: there }) }))
  await hooks["chat.message"](...prompt())
  there = messages
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: ID } } })
  await hooks.dispose()
  const turn = calls().find(({ entry }) => entry === "checkpoint")
  expect(turn.messages.map(({ info }) => info.id)).toEqual(["msg_1", "msg_2"])
  expect(JSON.stringify(turn)).not.toContain("SECRET")
  expect(turn.messages[1].parts[0].state.input.filePath).toBe("/p/a")
  expect(calls().at(-1).entry).toBe("session-end")
})

test("what is too much for the program is cut down to the prompt and the newest", async () => {
  const long = (id) => ({ info: { id, role: "assistant", time: {} }, parts: [{ type: "text", text: "한".repeat(900_000) }] })
  const messages = [{ info: { id: "msg_1", role: "user", time: {} }, parts: [] }, long("msg_2"), long("msg_3"), long("msg_4")]
  await load(client({ messages: async () => ({ data: messages }) }))
  const [input, output] = prompt()
  output.parts[0].text = "a".repeat(3_000_000) + "z"
  await hooks["chat.message"](input, output)
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: ID } } })
  await hooks.dispose()
  const found = (wanted) => calls().find(({ entry, source }) => entry === wanted && !source)
  expect(found("checkpoint").messages.map(({ info }) => info.id)).toEqual(["msg_1", "msg_3", "msg_4"])
  expect(found("prompt").parts[0].text.length).toBe(1_000_001)
  expect(found("prompt").parts[0].text.at(-1)).toBe("z")
  expect(output.parts[0].text.length).toBe(3_000_001)
})

test("a session that waits is left when another one begins, and alive again with its next prompt", async () => {
  await load(client({ messages: async () => ({ data: [{ info: { id: "msg_1", role: "user", time: {} }, parts: [] }] }) }))
  await hooks["chat.message"](...prompt())
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: ID } } })
  await hooks["chat.message"](...prompt("ses_2"))
  const ended = () => calls().filter(({ entry }) => entry === "session-end").map((call) => `${call.session_id} ${call.source}`)
  expect(ended()).toEqual(["ses_1 new"])
  await hooks["chat.message"](...prompt())
  await hooks.dispose()
  expect(ended().sort()).toEqual(["ses_1 exit", "ses_1 new", "ses_2 exit"])
})

test("what an earlier run of the client left is handed over at the first prompt", async () => {
  const earlier = [{ info: { id: "msg_0", role: "user", time: {} }, parts: [{ type: "text", text: "Before." }] }]
  await load(client({ messages: async () => ({ data: earlier }) }))
  await hooks["chat.message"](...prompt())
  expect(calls().map(({ entry, source }) => `${entry} ${source ?? ""}`.trim()).sort()).toEqual(
    ["checkpoint missed", "hot-files continue", "prompt", "session-start continue"],
  )
})

test("a client that fails or never answers, and input of any shape, break no hook", async () => {
  const never = () => new Promise(() => {})
  const broken = client({ get: never, messages: () => { throw new Error("no") } })
  broken.app.log = never
  broken.tui.showToast = () => { throw new Error("no") }
  await load(broken)
  for (const hook of Object.values(hooks)) {
    for (const output of [{}, { parts: [], message: {}, system: [], env: {} }]) await hook({ event: {} }, output)
  }
  const [input, output] = prompt()
  await hooks["chat.message"](input, output)
  expect(output.parts.length).toBe(1)
}, 20_000)

test("a program that prints anything else is one that says nothing", async () => {
  program("{not json")
  const given = client()
  await load(given)
  const [input, output] = prompt()
  await hooks["chat.message"](input, output)
  await hooks.dispose()
  expect(output.parts.length).toBe(1)
  expect(given.told.log).toContain("hipocampus: prompt: the answer is not JSON")
  expect(calls().at(-1).entry).toBe("session-end")
})

test("a program that hangs is waited for three times at most", async () => {
  program("{}", "exec sleep 60")
  const given = client()
  await load(given)
  await hooks["chat.message"](...prompt())
  for (const _ of [1, 2, 3]) await hooks["chat.message"](...prompt())
  expect(calls().map(({ entry }) => entry).sort()).toEqual(["hot-files", "prompt", "session-start"])
  expect(given.told.log.join("\n")).toContain("does not answer in time")
}, 20_000)
