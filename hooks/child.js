// The warm Python child of this process: its start, its end, and what it is asked.

/** @typedef {import('claude-code').EngineInterface} Engine */

const PAUSE = 5_000 // ms between two starts of the child
export const ANSWER = 9_000 // ms to wait for what can no longer be cancelled
const OFF = 3 // the child's exit code for "switched off"

/** The child of this process: its socket ("" for none), whether it runs, when it started. */
export const child = {
  socket: '', folder: '', runs: false, started: 0, off: false, python: '', end: () => {},
  /** Settled once a child that starts has its socket, or has ended. */
  ready: Promise.resolve(),
}

/** What numbers the calls: unlike those of a module loaded before this one. */
const calls = { first: Date.now(), count: 0 }

/** Return the number of the next call. */
export const nextNumber = () => `${calls.first}${++calls.count}`

/**
 * Start the child and read its output until it ends. The interpreter is the hooks' own.
 * @param {Engine} $
 */
export async function keep($) {
  if (child.runs || child.off || Date.now() - child.started < PAUSE) return
  child.runs = true
  child.started = Date.now()
  let isReady = () => {}
  child.ready = new Promise(resolve => (isReady = resolve))
  try {
    const root = $.plugin.root
    const file = JSON.parse(await $.fs.read(`${root}/hooks/hooks.json`))
    const python = file.hooks.SessionStart[0].hooks[0].command
    const argv = [python, '-I', '-S', `${root}/hooks/warm/child.py`]
    const env = await $.process.hookEnv()
    const run = $.process.spawn({ argv, cwd: root, env })
    child.python = python
    child.folder = `${env.CLAUDE_PLUGIN_DATA}/warm/${env.CLAUDE_PID}`
    child.end = () => void run.return({ code: null, signal: null })
    let said = ''
    for await (const { stream, text } of run) {
      if (stream !== 'stdout' || child.socket) continue
      said += text
      if (said.endsWith('\n')) child.socket = said.trimEnd()
      if (child.socket) isReady()
    }
    child.off = (await run.result).code === OFF
  } catch {
    // The command hooks work without it.
  }
  child.socket = ''
  child.runs = false
  isReady()
}

/**
 * Ask the child something that is not an event; undefined where it does not answer.
 * @param {Engine} $
 * @param {string} what
 * @param {object} question
 */
export async function ask($, what, question) {
  if (!child.socket) return undefined
  const env = await $.process.hookEnv()
  const where = { session_id: env.CLAUDE_CODE_SESSION_ID, cwd: env.CLAUDE_PROJECT_DIR }
  const url = `http://journal/${what}/${nextNumber()}`
  const body = JSON.stringify({ ...where, ...question })
  const init = { method: 'POST', body, socketPath: child.socket }
  const said = await within(ANSWER, $.http.fetch(url, init))
  return said?.status === 200 ? JSON.parse(said.text) : undefined
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>} undefined where it takes longer than `ms`
 */
export function within(ms, promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
