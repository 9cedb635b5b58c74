import { createHash } from 'node:crypto'
import { WebSocket } from 'ws'
import { agentsForOutside } from '#kit/server/request/outside.ts'
import { ask, CarrierSilent, isDone, jsonOf, withoutEnd } from './carrier.ts'
import type { Carrier, CarriedTag, CarrierAccount, TagState, Taken } from './carrier.ts'

const FONT = 'fonts/tags.ttf'
const BUSY = 409
/** Millivolts of a tag that has no way to measure its battery, as its firmware says it. */
const CANNOT_MEASURE = 1337
/** Its own table is read in pages; more of them no access point has. */
const PAGES_MAX = 200
/** Its numbers of colours, and of the corner a text is placed by. */
const [BLACK, RED, TOP_LEFT] = [1, 2, 0]

/** What the access point is to draw: it has the fonts, and knows what its tags can do. */
function drawing({ font }: CarrierAccount, { drawn }: CarriedTag): string {
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

type ApTag = Record<'mac' | 'hash', string> &
  Record<'pending' | 'updatecount' | 'lastseen' | 'batteryMv' | 'RSSI', number>

const stateOf = (tag: ApTag): TagState => ({
  tagId: tag.mac,
  ...(Number(tag.pending) > 0 ? { pending: {} } : {}),
  shows: String(tag.hash),
  count: Number(tag.updatecount) || 0,
  // Nothing is measured before a tag has reported, and by some never.
  ...(tag.batteryMv > 0 && tag.batteryMv !== CANNOT_MEASURE ? { batteryMv: tag.batteryMv } : {}),
  ...(tag.RSSI < 0 ? { rssi: tag.RSSI } : {}),
  ...(tag.lastseen > 0 ? { seenAt: new Date(tag.lastseen * 1_000) } : {}),
})

async function tableOf(account: CarrierAccount): Promise<Map<string, TagState>> {
  const found = new Map<string, TagState>()
  let at = 0
  for (let page = 0; page < PAGES_MAX; page++) {
    const { tags, continu } = jsonOf(await ask(account, `/get_db?pos=${at}`))
    if (!Array.isArray(tags)) throw new CarrierSilent(new Error('a table without tags'))
    const before = found.size
    for (const tag of tags as ApTag[]) if (tag?.mac) found.set(String(tag.mac).toUpperCase(), stateOf(tag))
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

async function said(account: CarrierAccount, path: string, fields: Record<string, string>): Promise<Taken> {
  const answer = await ask(account, path, form(fields))
  if (isDone(answer)) return { isTaken: true }
  if (answer.status === BUSY) throw new CarrierSilent(new Error('busy'), 'busy')
  return { isTaken: false, reason: `${answer.status} ${answer.text.slice(0, 100)}` }
}

/**
 * An OpenEPaperLink access point. It asks nobody who they are. Its tags sleep: a picture is pending until the tag has
 * fetched it, which raises the tag's count.
 */
export const openEPaperLink: Carrier = {
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
    const guard = mayBeInside ? {} : { agent: agentsForOutside()[isTls ? 'https' : 'http'] }
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
