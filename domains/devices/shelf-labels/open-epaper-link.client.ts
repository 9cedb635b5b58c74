import { createHash } from 'node:crypto'
import { WebSocket } from 'ws'
import { sharedEgressAgents } from '#kit/server/request/egress.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { sanitizeForStorage } from '#kit/server/base/outside-json.ts'
import {
  requestEslProvider,
  EslUnreachableError,
  isEslSuccess,
  parseEslJson,
  parseProviderNumber,
  readTagStateSafely,
  parseProviderText,
  parseProviderTime,
  trimTrailingSlashes,
  type EslProvider,
  type EslTagUpdate,
  type EslAccount,
  type EslTagState,
  type EslWriteResult,
} from './esl-provider.ts'

const FONT = 'fonts/tags.ttf'
const BUSY = 409
/** The battery voltage in millivolts that a tag reports when it cannot measure it. */
const CANNOT_MEASURE = 1337
/** Limit of pages read of the access point's tag table. */
const PAGES_MAX = 200
/** The protocol's numbers for colours and for the corner a text is positioned by. */
const [BLACK, RED, TOP_LEFT] = [1, 2, 0]

/** Returns the drawing instructions. The access point has the fonts and knows the tags' displays. */
function drawing({ font }: EslAccount, { drawn }: EslTagUpdate): string {
  return JSON.stringify(
    drawn.lines.map(({ text, x, y, fontSize, isRed }) => ({
      text: [
        Math.round(x),
        Math.round(y - fontSize),
        text,
        font || FONT,
        isRed ? RED : BLACK,
        TOP_LEFT,
        Math.round(fontSize),
      ],
    })),
  )
}

const macOf = ({ tagId }: { tagId: string }) => tagId.toUpperCase()

type ApTag = { mac?: unknown; hash?: unknown; pending?: unknown; updatecount?: unknown; lastseen?: unknown } & {
  batteryMv?: number
  RSSI?: number
}

/** Parses an entry of the tag table. Returns undefined for one without a MAC address. */
function stateOf(tag: ApTag): EslTagState | undefined {
  if (typeof tag?.mac !== 'string' || !tag.mac) return undefined
  const { batteryMv = 0, RSSI = 0 } = tag
  return readTagStateSafely(tag.mac.toUpperCase(), () => {
    const seenAt = parseProviderTime('lastseen', parseProviderNumber('lastseen', tag.lastseen) * 1_000)
    return {
      ...(parseProviderNumber('pending', tag.pending) > 0 ? { pending: {} } : {}),
      shows: parseProviderText('hash', tag.hash),
      count: parseProviderNumber('updatecount', tag.updatecount),
      // Zero before the first report of a tag, and always with some tags.
      ...(batteryMv > 0 && batteryMv !== CANNOT_MEASURE ? { batteryMv } : {}),
      ...(RSSI < 0 ? { rssi: RSSI } : {}),
      ...(seenAt && { seenAt }),
    }
  })
}

async function tableOf(account: EslAccount): Promise<Map<string, EslTagState>> {
  const found = new Map<string, EslTagState>()
  let at = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const { tags, continu } = parseEslJson(await requestEslProvider(account, `/get_db?pos=${at}`))
    if (!Array.isArray(tags)) throw new EslUnreachableError(new Error('a table without tags'))
    const before = found.size
    for (const tag of tags as ApTag[]) {
      const state = stateOf(tag)
      if (state) found.set(state.tagId, state)
    }
    if (typeof continu !== 'number' || continu <= at) return found
    // Old firmware counts positions in one byte and starts over.
    if (page > 0 && found.size === before) return found
    at = continu
  }
  return found
}

const form = (fields: Record<string, string>) => ({
  method: 'POST' as const,
  body: new URLSearchParams(fields).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

async function submitForm(account: EslAccount, path: string, fields: Record<string, string>): Promise<EslWriteResult> {
  const answer = await requestEslProvider(account, path, form(fields))
  if (isEslSuccess(answer)) return { isTaken: true }
  if (answer.status === BUSY) throw new EslUnreachableError(new Error('busy'), 'busy')
  return { isTaken: false, reason: `${answer.status} ${sanitizeForStorage(truncateText(answer.text, 100))}` }
}

/**
 * Client of an OpenEPaperLink access point, which has no authentication. Tags sleep: a picture is pending until the tag
 * fetches it, which raises the tag's count.
 */
export const openEPaperLinkProvider: EslProvider = {
  wordsOf: (account, tag) => createHash('md5').update(drawing(account, tag)).digest('hex'),
  states: async (account, tags) => {
    const table = await tableOf(account)
    return new Map(
      tags.flatMap((tag) => {
        const state = table.get(macOf(tag))
        return state ? [[tag.tagId, { ...state, tagId: tag.tagId }] as const] : []
      }),
    )
  },
  statesMax: 2_000,
  write: async (account, tags, _states, taken) => {
    for (const tag of tags)
      await taken(tag, await submitForm(account, '/jsonupload', { mac: macOf(tag), json: drawing(account, tag) }))
  },
  cancel: (account, tag) => submitForm(account, '/tag_cmd', { mac: macOf(tag), cmd: 'clear' }),
  flash: (account, tagId) => submitForm(account, '/tag_cmd', { mac: macOf({ tagId }), cmd: 'ledflash' }),
  listen: ({ endpoint, mayBeInside }, onChange, signal) => {
    if (signal.aborted) return
    const isTls = endpoint.startsWith('https:')
    const guard = mayBeInside ? {} : { agent: sharedEgressAgents()[isTls ? 'https' : 'http'] }
    const socket = new WebSocket(`${trimTrailingSlashes(endpoint).replace(/^http/, 'ws')}/ws`, {
      ...guard,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
    })
    // Changes are also found by polling, so an error of the socket needs no handling.
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      if (data.toString('utf8').includes('"tags"')) onChange()
    })
    signal.addEventListener('abort', () => socket.terminate())
  },
}

const HANDSHAKE_MS = 8_000
const MESSAGE_BYTES = 1_048_576
