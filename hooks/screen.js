// What the user sees of the journal: the status entry, the row above the prompt, the pane, toasts.
import { ask, child } from './child.js'

/** @typedef {import('claude-code').EngineInterface} Engine */

const TOAST = 20_000 // ms a message stays
const PANE = 'journal'

/** What the user sees: whether there is a screen, its texts, when they were asked for. */
export const screen = {
  isThere: false, status: '', row: '', offer: '', instructions: '', pane: [], asked: 0,
  isLooking: false, isDue: false,
}

/** The newest messages shown as toasts, newest first: the pane has them when they are gone. */
const messages = []
const MESSAGES = 6

/**
 * Bring the status entry and the row above the prompt up to date, and the pane where it is open.
 * One look at a time: an older answer never replaces a newer one.
 * @param {Engine} $
 */
export async function look($) {
  if (!screen.isThere || !child.socket) return
  screen.isDue = true
  if (screen.isLooking) return
  screen.isLooking = true
  try {
    while (screen.isDue) {
      screen.isDue = false
      screen.asked = Date.now()
      const pane = (await $.ui.panes()).some(one => one.id === PANE)
      const found = await ask($, 'screen', { pane })
      if (found) show($, found)
    }
  } catch {
    // It stays as it was.
  } finally {
    screen.isLooking = false
  }
}

/**
 * Look once the command hooks have recorded what changes the screen, and once more after a time.
 * @param {Engine} $
 * @param {Promise<unknown>} answer
 * @param {number} lag ms, 0 for no second look
 */
export async function thenLook($, answer, lag = 0) {
  const settled = await answer
  void look($)
  if (lag) $.clock.after(lag, () => void look($))
  return settled
}

/**
 * @param {Engine} $
 * @param {{ status: string, row: string, offer: string, instructions: string,
 *   pane: [string, string][] }} found
 */
function show($, found) {
  const isNew =
    found.row !== screen.row || found.offer !== screen.offer || found.pane.length > 0
  if (found.status !== screen.status) $.ui.status(found.status || undefined)
  Object.assign(screen, found)
  if (isNew) $.ui.invalidate('ui.render')
}

/**
 * Answer `/journal:pane` without the model.
 * @param {Engine} $
 */
export async function openPane($, e, next) {
  if (!screen.isThere) return next(e)
  const found = await ask($, 'screen', { pane: true })
  if (!found) return next(e)
  if (!found.pane.length) return { text: 'The pane is off: screen.pane in the configuration.' }
  await $.ui.open({ id: PANE, title: 'Journal' })
  show($, found)
  return { text: 'Opened beside the conversation; \u2715 closes it.' }
}

/** @param {Engine} $ */
export async function drawPane($, e, next) {
  if (e.requestId !== PANE) return next(e)
  const { Box, Text } = $.ui.resolve(e)
  const head = messages.length ? [['head', 'Messages']] : []
  const said = messages.map(text => ['text', text])
  const lines = [...screen.pane, ...head, ...said].map(([kind, text]) =>
    h(Text, { bold: kind === 'head' }, text),
  )
  return h(Box, { flexDirection: 'column' }, ...lines)
}

/** @param {Engine} $ */
export async function drawRow($, e, next) {
  const { row } = screen
  const offer = e.props.isWorking ? '' : screen.offer // nothing can be compacted during a turn
  if (!row && !offer) return next(e)
  const { Box, Text, Button } = $.ui.resolve(e)
  const lines = []
  if (row) lines.push(h(Text, null, `Journal: ${row}`))
  if (offer) {
    const onPress = () => compactNow($)
    const button = h(Button, { key: 'compact', label: 'Compact now', autoFocus: true, onPress })
    lines.push(h(Box, null, h(Text, null, `Journal: ${offer} `), button))
  }
  return h(Box, { flexDirection: 'column' }, ...lines)
}

/**
 * Compact because the user has pressed the button; nothing else calls this.
 * @param {Engine} $
 */
async function compactNow($) {
  const { instructions } = screen
  screen.offer = ''
  $.ui.invalidate('ui.render')
  try {
    const { skip } = await $.session.compact(instructions ? { instructions } : {})
    if (skip) $.ui.toast(`Not compacted: ${skip}`)
  } catch {
    $.ui.toast('Not compacted: Claude is working. Type /compact when the turn has ended.')
  }
  void look($)
}

/**
 * Show a message for some seconds, and keep it for the pane. Both have a title that names the journal.
 * @param {Engine} $
 * @param {string} text
 */
export function toast($, text) {
  const message = text.replace(/^journal(: |：)/gm, '')
  messages.unshift(message)
  messages.splice(MESSAGES)
  $.ui.toast(message, { timeoutMs: TOAST })
}
