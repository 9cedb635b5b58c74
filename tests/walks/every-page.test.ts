import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserSession, type BrowserSession } from '../journeys/browser.ts'
import { walkAll } from './walk.ts'

let office: BrowserSession
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
}, 300_000)
afterAll(() => office?.close())

/** No animations, so that pages are not checked half-way. */
const CALM = { reducedMotion: 'reduce' } as const
const WHOLE = [
  { who: 'wu', tenantId: '100001', least: 70 },
  { who: 'admin', tenantId: '000000', least: 90 },
]
const BRIEF = [
  { who: 'lin', lang: 'zh', least: 20 },
  { who: 'zhou', lang: 'en', least: 5 },
] as const

test.each(WHOLE.flatMap((person) => (['zh', 'en'] as const).map((lang) => ({ ...person, lang }))))(
  'every menu page of $who in $lang, wide and on a phone, with a detail and the form for a new ' +
    'row: the console is silent, every word is in the language, everything fits and a finger hits ' +
    'every target',
  async ({ who, tenantId, lang, least }) => {
    expect(
      await walkAll(
        {
          url: office.url,
          visit: await office.signIn(tenantId, who, { ...CALM, at: '/wel/index' }),
          lang,
          who,
          faults: new Set(),
        },
        least,
      ),
    ).toBe('')
  },
  1_800_000,
)

test.each(BRIEF)(
  'every menu page of $who in $lang, wide and on a phone: the console is silent, every word is in ' +
    'the language, everything fits and a finger hits every target',
  async ({ who, lang, least }) => {
    expect(
      await walkAll(
        {
          url: office.url,
          visit: await office.signIn('100001', who, { ...CALM, at: '/wel/index' }),
          lang,
          who,
          isBrief: true,
          faults: new Set(),
        },
        least,
      ),
    ).toBe('')
  },
  600_000,
)
