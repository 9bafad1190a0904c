// Memory for OpenClaw: hands the Gateway's events to hipocampus and shows what it answers. Nothing is decided here.
// `hipocampus init --host openclaw` puts this file here, `hipocampus uninstall` takes it away. What is said between the
// two stands in hipocampus/hosts/openclaw.py. The Gateway waits for a handler, however long: each step here has an end,
// and none throws.

import { spawn } from "node:child_process"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

// The launcher, in a place that outlives updates. It finds its interpreter itself, whatever PATH is.
const RUN = join(process.env.HOME || homedir(), ".local", "share", "hipocampus", "run")
// The workspaces that were set up, each with the directory of its memory.
const WORKSPACES = fileURLToPath(new URL("workspaces.json", import.meta.url))

// Milliseconds, a little more than the program gives itself.
const START = { "session-start": 5000, "hot-files": 5000 }
const LIMITS = { ...START, prompt: 3000, checkpoint: 4000, "pre-compact": 19_000, "session-end": 1500 }
const HISTORY_LIMIT = 10_000
const RESET_LIMIT = 12_000 // what a reset may wait for the last turns to be kept; a second or two as a rule
const FINISH_LIMIT = 4000 // what the next turn may wait for the memory to be brought up to date
const [MISSES, PAUSE] = [3, 300_000] // so many answers too late, and no more are asked for, for so long
const [IDLE, STILL] = [60_000, 600_000] // of a conversation; by the second a provider has forgotten the prompt anyway
const HISTORY = { limit: 1000, maxChars: 64_000 } // messages, the most that the Gateway gives, and characters of each
const WAITING = 20 // prompts of a session that never begins in a workspace of ours
const MOST = 6_000_000 // characters that the program takes, with room

// In a session's key: nobody speaks to the agent there, others do too, or the user wants nothing of it kept.
const NOT_OURS = /(?:^|:)(?:subagent|cron|hook|acp|group|channel|room|guild-[^:]*|[^:]*@g\.us|incognito-[^:]*)(?::|$)/i
const SHOWN = ["memory/ROOT.md", "WORKING.md", "TASK-QUEUE.md", "SCRATCHPAD.md", "hipocampus.config.json"]

const sessions = new Map() // by key
const received = new Map() // by key: prompts of a session that has no id yet
const complaints = new Set()
let [misses, pausedUntil] = [0, 0]

export default async function handler(event) {
  if (process.env.HIPOCAMPUS_DISABLE === "1") return
  try {
    await handlers[`${event.type}:${event.action}`]?.(event)
  } catch (error) {
    complain(`${event?.type}:${event?.action}: ${error}`)
  }
}

const handlers = {
  // Before every turn: the memory as one more file, the same text as long as the memory is the same.
  "agent:bootstrap": async ({ sessionKey, context }) => {
    const place = placeOf(context.workspaceDir)
    const prompts = received.get(sessionKey) ?? []
    received.delete(sessionKey)
    if (!place || !isPrivate(sessionKey) || !context.sessionId) return
    const session = sessionOf(sessionKey, context.sessionId, place)
    await bounded(session.finishing, FINISH_LIMIT)
    const stamp = stampOf(place.home)
    if (stamp !== session.stamp) await show(session, stamp)
    const content = [session.text, session.reminder].filter(Boolean).join("\n\n")
    const path = join(place.home, "memory", "ROOT.md")
    if (content) context.bootstrapFiles.push({ name: "MEMORY.md", path, content, missing: false })
    session.reminder = ""
    for (const prompt of prompts) tell(session, prompt)
    // What an earlier run of the Gateway could not keep comes now, what this turn says when it has been still a while.
    if (!session.kept) keep(session)
    clearTimeout(session.timer)
    session.timer = setTimeout(() => rest(session), IDLE).unref()
  },

  // Of channels only: a prompt from the command line, and every answer, is in the history alone.
  "message:received": ({ sessionKey, context }) => {
    if (!isPrivate(sessionKey) || typeof context.content !== "string") return
    const session = sessions.get(sessionKey)
    if (session) tell(session, context.content)
    else received.set(sessionKey, [...(received.get(sessionKey) ?? []), context.content].slice(-WAITING))
  },

  "command:new": reset,
  "command:reset": reset,

  // The session is another one by now, so there is nothing more to read.
  "session:auto-reset": async ({ sessionKey, context }) => {
    const session = known(sessionKey, context.sessionEntry?.sessionId, context.workspaceDir)
    if (!session) return
    if (sessions.get(sessionKey) === session) sessions.delete(sessionKey)
    clearTimeout(session.timer)
    await finish(session, "auto-reset")
  },

  "session:compact:before": async ({ sessionKey, context }) => {
    const session = known(sessionKey, context.sessionId)
    if (!session) return
    await bounded(keep(session), RESET_LIMIT)
    session.finishing = ask("pre-compact", session)
  },

  // The Gateway answers no more questions, and waits five seconds.
  "gateway:shutdown": async () => {
    const open = [...sessions.values()]
    sessions.clear()
    for (const session of open) clearTimeout(session.timer)
    await Promise.all(open.map((session) => ask("session-end", session, { source: "shutdown" })))
  },
}

// A reset keeps the session's id and hides what was said, so that is read first; the reset waits for no more than that.
async function reset({ action, sessionKey, context }) {
  const ended = context.previousSessionEntry ?? context.sessionEntry
  const session = known(sessionKey, ended?.sessionId, context.workspaceDir)
  if (!session) return
  clearTimeout(session.timer)
  await bounded(keep(session), RESET_LIMIT)
  session.stamp = undefined
  session.source = "new"
  session.finishing = finish(session, action)
}

async function finish(session, source) {
  await ask("pre-compact", session)
  await ask("session-end", session, { source })
}

// The session of an event, where it belongs to a workspace that was set up; that of an earlier run of the Gateway too.
function known(key, id, workspace) {
  const session = sessions.get(key)
  if (session && (!id || session.id === id)) return session
  const place = placeOf(workspace)
  if (!place || !id || !isPrivate(key)) return undefined
  return session ? made(key, id, place) : sessionOf(key, id, place) // one that has a successor is not put in its place
}

function sessionOf(key, id, place) {
  const found = sessions.get(key)
  if (found?.id === id) return found
  clearTimeout(found?.timer)
  sessions.set(key, made(key, id, place))
  return sessions.get(key)
}

function made(key, id, place) {
  return { key, id, place, source: "startup", text: "", jobs: Promise.resolve() }
}

function placeOf(workspace) {
  try {
    return JSON.parse(readFileSync(WORKSPACES, "utf8")).find((one) => isSame(one.workspace, workspace))
  } catch {
    return undefined
  }
}

function isSame(one, other) {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

function isPrivate(key) {
  return typeof key === "string" && !NOT_OURS.test(key)
}

// What the memory's files are like now; another text when one of them has changed.
function stampOf(home) {
  return SHOWN.map((name) => {
    const found = statSync(join(home, name), { throwIfNoEntry: false })
    return found ? `${found.mtimeMs}:${found.size}` : ""
  }).join(" ")
}

async function show(session, stamp) {
  const source = session.text && session.source === "startup" ? "compact" : session.source
  const [start, files] = await Promise.all(Object.keys(START).map((entry) => ask(entry, session, { source })))
  if (!start) return // what was shown before, if anything, is better than nothing
  const own = `For a hipocampus command to count here, put HIPOCAMPUS_SESSION=${session.id} in front of it.`
  session.text = start.context ? [start.context, files?.context, own].filter(Boolean).join("\n\n") : ""
  session.isOff = !start.context // a memory that is on says so, even an empty one; one that is off may come on
  if (session.isOff) session.stamp = undefined
  else session.stamp = source === "compact" ? stamp : stampOf(session.place.home) // a start may bring it up to date
  session.source = "startup"
  if (start.line) complain(start.line.replace(/^hipocampus: /, ""))
}

// Keep a prompt at once. A reminder that is due is shown with the next turn.
function tell(session, prompt) {
  return queue(session, async () => {
    const answer = await ask("prompt", session, { prompt: prompt.slice(0, MOST) })
    session.reminder = answer?.context
  })
}

// Hand what the Gateway has of the conversation to the program, which knows what it has already. One at a time.
function keep(session) {
  session.kept = true
  return queue(session, async () => {
    if (session.isOff) return
    const messages = (await history(session)) ?? (await history(session)) // refused while it changes
    if (messages?.length) await ask("checkpoint", session, { messages: slim(messages) })
  })
}

// A conversation may never end: what it said is kept soon, and made into memory when it has been still for longer.
function rest(session) {
  keep(session)
  session.timer = setTimeout(() => ask("pre-compact", session), STILL - IDLE).unref()
}

// Nobody may wait for a job, so none is left to fail.
function queue(session, job) {
  session.jobs = session.jobs.then(job).catch((error) => complain(`${error}`))
  return session.jobs
}

// The conversation since the last reset, from the Gateway through its own command line, which knows how to ask.
async function history({ key, id }) {
  const params = JSON.stringify({ sessionKey: key, ...HISTORY })
  const words = [process.argv[1], "gateway", "call", "chat.history", "--json", "--params", params]
  const { text, problem } = await run(process.execPath, words, "", HISTORY_LIMIT)
  const { messages, sessionId = id } = (problem ? undefined : parsed(text)) ?? {}
  if (!Array.isArray(messages)) return complain(`the Gateway did not give its history: ${problem || "unknown form"}`)
  return sessionId === id ? messages : [] // another one has taken its place
}

// The program's answer to one event: an object, {} where it has nothing to say, undefined where it did not answer.
async function ask(entry, session, payload = {}) {
  if (Date.now() < pausedUntil) return undefined
  if (!existsSync(RUN)) return complain(`memory is off: there is no ${RUN} (run \`hipocampus init\` again)`)
  const event = { session_id: session.id, workspace: session.place.workspace, ...payload }
  const words = [RUN, entry, "--host", "openclaw"]
  const { text, problem } = await run("/bin/sh", words, JSON.stringify(event), LIMITS[entry])
  if (problem === "late" && ++misses >= MISSES) pausedUntil = Date.now() + PAUSE
  if (problem) return complain(`${entry}: ${problem}`)
  misses = 0
  return text.trim() ? (parsed(text) ?? complain(`${entry}: its answer is not JSON`)) : {}
}

// Run a program: what it prints, or the problem. It is ended when its time is up.
function run(program, words, input, milliseconds) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
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
    const text = () => Buffer.concat(pieces).toString()
    child.on("close", (code) => done(code === 0 ? { text: text() } : { problem: `exit ${code}` }))
    child.stdout.on("data", (piece) => pieces.push(piece))
    child.stdin.on("error", () => {}) // it did not want the input
    child.stdin.end(input)
  })
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The outcome of a promise, or undefined after some time.
function bounded(promise, milliseconds) {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

// One line in the Gateway's log, once.
function complain(problem) {
  if (!complaints.has(problem)) console.warn(`[hipocampus] ${problem}`)
  complaints.add(problem)
}

// Messages without what the program does not read (outputs of tools, pictures), the oldest left out if too much.
function slim(messages) {
  const kept = messages
    .filter((message) => message?.role === "user" || message?.role === "assistant")
    .map(({ role, content, timestamp, __openclaw }) => {
      return { role, content: slimContent(content), timestamp, __openclaw: { id: __openclaw?.id } }
    })
  let size = kept.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
  while (size > MOST && kept.length) size -= JSON.stringify(kept.shift()).length
  return kept
}

function slimContent(content) {
  if (!Array.isArray(content)) return content
  const blocks = content.filter((block) => block?.type === "text" || block?.type === "toolCall")
  return blocks.map(({ type, text, name, arguments: given }) => {
    if (type === "text") return { type, text }
    const { path, file_path, input } = given ?? {}
    return { type, name, arguments: { path, file_path, input } }
  })
}
