import { createHash } from 'node:crypto'
import { WebSocket } from 'ws'
import { egressAgentsFor } from '#kit/server/request/egress.ts'
import { cutText } from '#kit/server/foreign-text.ts'
import { storable } from '#kit/server/outside-json.ts'
import {
  ask,
  EslUnreachableError,
  isDone,
  jsonOf,
  numberSaid,
  stateAlone,
  textSaid,
  timeSaid,
  withoutEnd,
} from './esl-provider.ts'
import type { EslProvider, ProviderTag, EslAccount, TagState, EslAccepted } from './esl-provider.ts'

const FONT = 'fonts/tags.ttf'
const BUSY = 409
/** Millivolts of a tag that has no way to measure its battery, as its firmware says it. */
const CANNOT_MEASURE = 1337
/** Its own table is read in pages; more of them no access point has. */
const PAGES_MAX = 200
/** Its numbers of colours, and of the corner a text is placed by. */
const [BLACK, RED, TOP_LEFT] = [1, 2, 0]

/** What the access point is to draw: it has the fonts, and knows what its tags can do. */
function drawing({ font }: EslAccount, { drawn }: ProviderTag): string {
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

/** Of an entry of its table; what has no number is no tag. */
function stateOf(tag: ApTag): TagState | undefined {
  if (typeof tag?.mac !== 'string' || !tag.mac) return undefined
  const { batteryMv = 0, RSSI = 0 } = tag
  return stateAlone(tag.mac.toUpperCase(), () => {
    const seenAt = timeSaid('lastseen', numberSaid('lastseen', tag.lastseen) * 1_000)
    return {
      ...(numberSaid('pending', tag.pending) > 0 ? { pending: {} } : {}),
      shows: textSaid('hash', tag.hash),
      count: numberSaid('updatecount', tag.updatecount),
      // Nothing is measured before a tag has reported, and by some never.
      ...(batteryMv > 0 && batteryMv !== CANNOT_MEASURE ? { batteryMv } : {}),
      ...(RSSI < 0 ? { rssi: RSSI } : {}),
      ...(seenAt && { seenAt }),
    }
  })
}

async function tableOf(account: EslAccount): Promise<Map<string, TagState>> {
  const found = new Map<string, TagState>()
  let at = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const { tags, continu } = jsonOf(await ask(account, `/get_db?pos=${at}`))
    if (!Array.isArray(tags)) throw new EslUnreachableError(new Error('a table without tags'))
    const before = found.size
    for (const tag of tags as ApTag[]) {
      const state = stateOf(tag)
      if (state) found.set(state.tagId, state)
    }
    if (typeof continu !== 'number' || continu <= at) return found
    // Old programs count in one byte, and would begin again.
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

async function said(account: EslAccount, path: string, fields: Record<string, string>): Promise<EslAccepted> {
  const answer = await ask(account, path, form(fields))
  if (isDone(answer)) return { isTaken: true }
  if (answer.status === BUSY) throw new EslUnreachableError(new Error('busy'), 'busy')
  return { isTaken: false, reason: `${answer.status} ${storable(cutText(answer.text, 100))}` }
}

/**
 * An OpenEPaperLink access point. It asks nobody who they are. Its tags sleep: a picture is pending until the tag has
 * fetched it, which raises the tag's count.
 */
export const openEPaperLink: EslProvider = {
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
      await taken(tag, await said(account, '/jsonupload', { mac: macOf(tag), json: drawing(account, tag) }))
  },
  cancel: (account, tag) => said(account, '/tag_cmd', { mac: macOf(tag), cmd: 'clear' }),
  flash: (account, tagId) => said(account, '/tag_cmd', { mac: macOf({ tagId }), cmd: 'ledflash' }),
  listen: ({ endpoint, mayBeInside }, heard, signal) => {
    if (signal.aborted) return
    const isTls = endpoint.startsWith('https:')
    const guard = mayBeInside ? {} : { agent: egressAgentsFor()[isTls ? 'https' : 'http'] }
    const socket = new WebSocket(`${withoutEnd(endpoint).replace(/^http/, 'ws')}/ws`, {
      ...guard,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MESSAGE_BYTES,
      perMessageDeflate: false,
    })
    // What it does not tell is asked for.
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      if (data.toString('utf8').includes('"tags"')) heard()
    })
    signal.addEventListener('abort', () => socket.terminate())
  },
}

const HANDSHAKE_MS = 8_000
const MESSAGE_BYTES = 1_048_576
