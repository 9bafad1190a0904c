// Memory for OpenCode: hands the client's events to hipocampus and shows what it answers. Nothing is decided here.
//
// `hipocampus init --host opencode` puts this file here, `hipocampus uninstall --host opencode` takes it away, and
// HIPOCAMPUS_DISABLE=1 turns it off. What is said between the two stands in hipocampus/hosts/opencode.py.
//
// A hook that throws loses the user's prompt and one that waits stops the user: none throws, each has an end.

import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

// The launcher, in a place that outlives updates. It finds its interpreter itself, whatever PATH is.
const HOME = process.env.HOME || homedir()
const RUN = join(HOME, ".local", "share", "hipocampus", "run")

// Where the client keeps its sessions: what could not be handed over is read there.
const DATA = join(process.env.XDG_DATA_HOME || join(HOME, ".local", "share"), "opencode")
const DATABASE = resolve(DATA, process.env.OPENCODE_DB || "opencode.db")

// Milliseconds, a little more than the program gives itself.
const LIMITS = {
  "session-start": 5000,
  "hot-files": 5000,
  prompt: 3000,
  checkpoint: 4000,
  "pre-compact": 19000,
  "session-end": 1500,
}
const CLIENT_LIMIT = 2000
const BEGIN_LIMIT = 7000
const EXIT_LIMIT = 1800 // together with session-end below the five seconds that the client gives
const MISSES = 3 // answers that did not come in time, after which no more are asked for
const RECENT = 100 // messages asked for at the end of a turn; the whole list only where they do not reach back to its prompt
const MOST = 6_000_000 // bytes that the program takes at once, with room
const LONGEST = 1_000_000 // characters of one text; the program keeps less of it

// Requests that are not the conversation's.
const ASIDE = /^You are a (?:title generator|context summarization agent)/

// Loaded for the project and for the user it would tell everything twice: the first one to come serves a directory.
const served = (globalThis[Symbol.for("hipocampus.opencode")] ??= new Set())

export const Hipocampus = async ({ client, directory }) => {
  if (process.env.HIPOCAMPUS_DISABLE === "1" || served.has(directory)) return {}
  served.add(directory)
  const memory = new Memory(client, directory)
  const quietly = (hook) => async (input, output) => {
    try {
      await hook(input, output)
    } catch (error) {
      memory.log("error", `${error}`)
    }
  }
  return {
    "chat.message": quietly((input, output) => memory.prompt(input, output)),
    "experimental.chat.system.transform": quietly((input, output) => memory.request(input, output)),
    "experimental.session.compacting": quietly((input) => memory.compacting(input)),
    "shell.env": quietly((input, output) => memory.shell(input, output)),
    event: quietly(({ event }) => memory.event(event)),
    dispose: quietly(() => memory.end()),
  }
}

class Memory {
  constructor(client, directory) {
    this.client = client
    this.directory = directory
    this.sessions = new Map()
    this.misses = 0
    this.said = new Set()
  }

  // A prompt, before it is stored: what the program adds goes behind it, unseen by the user.
  async prompt({ sessionID }, { message, parts }) {
    const session = await this.session(sessionID)
    const last = parts.at(-1)
    if (session.parent || !last) return
    session.begun ??= this.begin(session)
    session.shown ??= session.begun
    await bounded(session.begun, BEGIN_LIMIT)
    session.from ??= message.id
    session.latest = message.id
    session.open = true
    session.left = false
    const answer = await this.ask("prompt", session, { prompt_id: message.id, parts: parts.map(slimPart) })
    if (!answer?.context) return
    const place = { id: last.id + "z", sessionID, messageID: message.id } // parts are sorted by id
    parts.push({ ...place, type: "text", text: answer.context, synthetic: true })
  }

  // A request to the model. The memory is the same text in each one, so the provider's cache holds, and is stored nowhere.
  async request({ sessionID }, { system }) {
    const session = this.sessions.get(sessionID)
    if (!session?.shown || ASIDE.test(system[0] ?? "")) return
    await bounded(session.shown, LIMITS["session-start"])
    // Not a second system message: some models accept one only.
    if (session.text) system[0] = system[0] ? `${system[0]}\n\n${session.text}` : session.text
  }

  async compacting({ sessionID }) {
    const session = this.sessions.get(sessionID)
    if (session?.begun) await this.ask("pre-compact", session)
  }

  shell({ sessionID }, { env }) {
    const { PATH: folder, ...variables } = this.main(sessionID)?.variables ?? {}
    if (!folder) return
    const path = env.PATH ?? process.env.PATH
    env.PATH = path ? `${path}:${folder}` : folder
    Object.assign(env, variables)
  }

  // Not awaited by the client: what must be done before it ends goes into a session's `jobs`.
  event({ type, properties }) {
    if (type === "session.created" && properties.info?.parentID) this.add(properties.info.id, properties.info.parentID)
    const session = this.sessions.get(properties?.sessionID)
    if (!session?.begun) return
    if (type === "session.idle" && session.open) this.later(session, () => this.turn(session))
    if (type === "session.compacted") session.shown = this.show(session, "compact")
  }

  // The client ends, or begins anew in this directory.
  async end() {
    served.delete(this.directory)
    const sessions = [...this.sessions.values()].filter((session) => session.begun)
    for (const session of sessions) if (session.open) this.later(session, () => this.turn(session))
    await this.leave(sessions, "exit")
  }

  // What was said in them is folded now. One that goes on after all is alive again with its next prompt.
  async leave(sessions, source) {
    const left = sessions.filter((session) => !session.left)
    await bounded(Promise.all(left.map((session) => session.jobs)), EXIT_LIMIT)
    for (const session of left) session.left = true
    await Promise.all(left.map((session) => this.ask("session-end", session, { source })))
  }

  // The first prompt of a session in this run of the client. What an earlier run could not hand over is handed over now.
  // There is no event for leaving a session: those that wait for a prompt are taken for left, so that this one knows them.
  async begin(session) {
    await this.leave([...this.sessions.values()].filter((other) => other.begun && !other.open && other !== session), "new")
    const earlier = await this.messages(session, RECENT)
    await this.show(session, earlier.length ? "continue" : "startup")
    if (earlier.length) await this.ask("checkpoint", session, { source: "missed", messages: slim(earlier) })
  }

  async show(session, source) {
    const entries = ["session-start", "hot-files"]
    const [start, files] = await Promise.all(entries.map((entry) => this.ask(entry, session, { source })))
    if (!start) return // what was shown before, if anything, is better than nothing
    session.text = [start.context, files?.context].filter(Boolean).join("\n\n")
    session.variables = start.shell
    if (start.line) this.tell(start.line)
  }

  // The end of a turn: all messages from its prompt on. What comes again the program knows.
  async turn(session) {
    const { from, latest } = session
    session.open = false
    let messages = await this.messages(session, RECENT)
    if (!messages.some(({ info }) => info.id === from)) messages = await this.messages(session)
    const first = messages.findIndex(({ info }) => info.id === from)
    if (first < 0) return
    const answer = await this.ask("checkpoint", session, { messages: slim(messages.slice(first)) })
    if (answer) session.from = latest
    else session.open = true
  }

  // A session by id, of a sub-agent too; those have a `parent` and are not remembered.
  async session(id) {
    const known = this.sessions.get(id)
    if (known) return known
    const found = await bounded(this.client.session.get({ path: { id } }), CLIENT_LIMIT)
    return this.sessions.get(id) ?? this.add(id, found?.data?.parentID)
  }

  add(id, parent) {
    const session = { id, parent, text: "", jobs: Promise.resolve() }
    this.sessions.set(id, session)
    return session
  }

  // The session that a sub-agent works for, or the session itself.
  main(id) {
    const session = this.sessions.get(id)
    return session?.parent ? this.main(session.parent) : session
  }

  async messages({ id }, limit) {
    const found = await bounded(this.client.session.messages({ path: { id }, query: { limit } }), CLIENT_LIMIT)
    return found?.data ?? []
  }

  later(session, job) {
    session.jobs = session.jobs.then(job).catch((error) => this.log("error", `${error}`))
  }

  // The program's answer to one event: an object, {} where it has nothing to say, undefined where it did not answer.
  async ask(entry, session, payload = {}) {
    if (this.misses >= MISSES) return undefined
    if (!existsSync(RUN)) return this.complain(`memory is off: there is no ${RUN} (run \`hipocampus init\` again)`)
    const { text, problem } = await run(entry, JSON.stringify({ ...this.place(session), ...payload }), LIMITS[entry])
    if (problem === "late" && ++this.misses === MISSES) this.complain("memory is off: the program does not answer in time")
    if (problem) return this.complain(`${entry}: ${problem}`)
    this.misses = 0
    try {
      return text.trim() ? JSON.parse(text) : {}
    } catch {
      return this.complain(`${entry}: the answer is not JSON`)
    }
  }

  place({ id, parent }) {
    return { session_id: id, parent_id: parent, directory: this.directory, transcript: `${DATABASE}#${id}` }
  }

  // One line in the client's log, once.
  complain(problem) {
    if (!this.said.has(problem)) this.log("warn", problem)
    this.said.add(problem)
    return undefined
  }

  log(level, message) {
    const body = { service: "hipocampus", level, message: `hipocampus: ${message}` }
    this.send(() => this.client.app.log({ body }))
  }

  // A line for the user, which names us itself.
  tell(message) {
    this.log("info", message.replace(/^hipocampus: /, ""))
    this.send(() => this.client.tui.showToast({ body: { message, variant: "info" } }))
  }

  // Nobody waits for it, and nothing depends on it.
  async send(request) {
    try {
      await request()
    } catch {}
  }
}

// Run one entry of the launcher: what it prints, or the problem. The program is ended when its time is up.
function run(entry, input, milliseconds) {
  return new Promise((resolve) => {
    const stdio = ["pipe", "pipe", "ignore"]
    const child = spawn("/bin/sh", [RUN, entry, "--host", "opencode"], { cwd: "/", stdio })
    const pieces = []
    const done = (outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      resolve({ problem: "late" })
    }, milliseconds)
    child.on("error", (error) => done({ problem: `${error}` }))
    child.on("close", (code) => done(code === 0 ? { text: Buffer.concat(pieces).toString() } : { problem: `exit ${code}` }))
    child.stdout.on("data", (piece) => pieces.push(piece))
    child.stdin.on("error", () => {}) // it did not want the input
    child.stdin.end(input)
  })
}

// The outcome of a promise, or undefined after some time or where it failed.
function bounded(promise, milliseconds) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  const failed = Promise.resolve(promise).catch(() => undefined)
  return Promise.race([failed, late]).finally(() => clearTimeout(timer))
}

// Messages without what the program does not read (outputs of tools, files, reasoning); of too much the first, which is
// the turn's prompt, and the newest.
function slim(messages) {
  const kept = messages.map(({ info, parts }) => {
    const { id, role, time, summary } = info
    return { info: { id, role, time, summary: summary === true }, parts: parts.map(slimPart) }
  })
  const sizes = kept.map((message) => Buffer.byteLength(JSON.stringify(message)))
  let size = sizes.reduce((sum, one) => sum + one, 0)
  let next = 1
  while (size > MOST && next < kept.length) size -= sizes[next++]
  return [...kept.slice(0, 1), ...kept.slice(next)]
}

function slimPart({ type, text, synthetic, ignored, tool, state }) {
  if (type === "text") return { type, text: shortened(text), synthetic, ignored }
  if (type !== "tool") return { type }
  const { filePath, patchText } = state?.input ?? {}
  return { type, tool, state: { status: state?.status, input: { filePath, patchText } } }
}

const shortened = (text) =>
  text?.length > LONGEST ? `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}` : text
