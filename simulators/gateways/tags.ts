import { BAD_PARAMETERS, BROKEN, DONE, NOT_FOUND } from './protocol.ts'
import type { Body, DevicePayload, Method } from './protocol.ts'

type Tag = { tagId: string; hash: string; batteryMv: number; rssi: number; isLost: boolean; shown: number }
type Picture = { tagId: string; hash: string }

/** Time the radio needs for one tag. */
const RADIO_MS = 1_000
const BATCH_MAX = 50

const isPicture = (one: unknown): one is Picture =>
  typeof (one as Picture | null)?.tagId === 'string' && typeof (one as Picture).hash === 'string'

/** A radio that reaches one tag at a time and queues the others. */
function createRadio(body: Body) {
  let freeAt = 0
  let generation = 0
  return {
    /** Calls when the radio has finished the earlier calls. */
    onAir(call: () => void): void {
      freeAt = Math.max(freeAt, body.clock.now()) + RADIO_MS
      const startedIn = generation
      body.clock.after(freeAt - body.clock.now(), () => {
        if (startedIn === generation) call()
      })
    },
    forget: (): void => {
      generation++
      freeAt = 0
    },
  }
}

const seen = ({ tagId, batteryMv, rssi }: Tag): DevicePayload => ({ tagId, batteryMv, rssi })

/** Shows an image on a tag. Returns the result code. */
function show(body: Body, tag: Tag, hash: string): number {
  if (tag.isLost || body.random.next() < (body.has('tagRefuses') ?? 0)) {
    body.event('tag.failed', { tagId: tag.tagId, hash })
    return BROKEN
  }
  tag.hash = hash
  tag.batteryMv--
  tag.shown++
  body.act('tag.shown', { tagId: tag.tagId, hash })
  body.event('tag.shown', { ...seen(tag), hash })
  return DONE
}

function updateOf(body: Body, tags: ReadonlyMap<string, Tag>, radio: ReturnType<typeof createRadio>): Method {
  return ({ tags: pictures }) => {
    if (!Array.isArray(pictures) || pictures.length > BATCH_MAX || !pictures.every(isPicture))
      return { code: BAD_PARAMETERS }
    return (end) => {
      const results: (Picture & { code: number })[] = []
      const note = ({ tagId, hash }: Picture, code: number) => {
        results.push({ tagId, hash, code })
        if (results.length === pictures.length) end({ code: DONE, data: { tags: results } })
      }
      if (!pictures.length) end({ code: DONE, data: { tags: [] } })
      for (const picture of pictures) {
        const tag = tags.get(picture.tagId)
        if (!tag) note(picture, NOT_FOUND)
        // An image the tag shows already costs no battery.
        else if (tag.hash === picture.hash && !tag.isLost) note(picture, DONE)
        else radio.onAir(() => note(picture, show(body, tag, picture.hash)))
      }
    }
  }
}

/** Simulates electronic price tags that share one radio. */
export function createTags(body: Body, tagIds: string[]) {
  const tags = new Map(
    tagIds.map((tagId): [string, Tag] => [
      tagId,
      {
        tagId,
        hash: '',
        batteryMv: 2_600 + body.random.int(0, 400),
        rssi: -40 - body.random.int(0, 45),
        isLost: false,
        shown: 0,
      },
    ]),
  )
  const radio = createRadio(body)

  return {
    all: () => [...tags.values()],
    ids: () => [...tags.keys()],
    state: () => ({ total: tags.size, silent: [...tags.values()].filter(({ isLost }) => isLost).length }),
    /** Takes a tag out of reach, or brings it back. */
    lose(tagId: string, isLost: boolean): boolean {
      const tag = tags.get(tagId)
      if (tag) tag.isLost = isLost
      body.stateChanged()
      return tag !== undefined
    },
    report: () => [...tags.values()].forEach((tag) => tag.isLost || body.event('tag.report', seen(tag))),
    forget: radio.forget,
    claim: ({ tags: pictures }: DevicePayload): DevicePayload => ({
      tags: (Array.isArray(pictures) ? pictures.filter(isPicture) : []).map(({ tagId, hash }) => ({
        tagId,
        hash,
        code: DONE,
      })),
    }),
    methods: {
      'tag.update': updateOf(body, tags, radio),
      'tag.flash': ({ tagId, colour, seconds }) => {
        const tag = tags.get(tagId as string)
        if (!tag) return { code: NOT_FOUND }
        return (end) =>
          radio.onAir(() => {
            if (!tag.isLost) body.act('tag.flashed', { tagId, colour, seconds })
            end({ code: tag.isLost ? BROKEN : DONE })
          })
      },
    } satisfies Record<string, Method>,
  }
}
