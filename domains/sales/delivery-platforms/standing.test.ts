import { expect, test } from 'vitest'
import { presentPlatformShopStatus, derivePlatformShopStatus, type PlatformShopStatusFacts } from './standing.ts'

const facts = (more: Partial<PlatformShopStatusFacts>): PlatformShopStatusFacts => ({
  review: 'approved',
  isOnline: true,
  hours: 'open',
  isPaused: false,
  syncStatus: 2,
  ...more,
})

test('a shop at a platform has one state: what was refused and is offline does not trade', () => {
  expect(derivePlatformShopStatus(facts({ review: 'refused', isOnline: false }))).toBe('refused')
  expect(derivePlatformShopStatus(facts({ review: 'refused', isOnline: undefined }))).toBe('refused')
  expect(derivePlatformShopStatus(facts({ review: 'refused' }))).toBe('openChangeRefused')
  expect(derivePlatformShopStatus(facts({ review: 'none', isOnline: false }))).toBe('notApplied')
  expect(derivePlatformShopStatus(facts({ review: 'underReview', isOnline: false }))).toBe('underReview')
  expect(derivePlatformShopStatus(facts({ isOnline: false }))).toBe('offline')
  expect(derivePlatformShopStatus(facts({ isPaused: true, hours: 'resting' }))).toBe('paused')
  expect(derivePlatformShopStatus(facts({ isOnline: undefined, hours: 'closed' }))).toBe('closed')
  expect(derivePlatformShopStatus(facts({ hours: 'resting' }))).toBe('resting')
  expect(derivePlatformShopStatus(facts({}))).toBe('open')
})

test('every state has its words in both languages, and one next step where somebody has something to do', () => {
  const all: PlatformShopStatusFacts[] = [
    facts({ review: 'refused', isOnline: false }),
    facts({ review: 'none' }),
    facts({ review: 'underReview', isOnline: false }),
    facts({ isOnline: false }),
    facts({ syncStatus: 3 }),
  ]
  for (const lang of ['zh', 'en'] as const) {
    const wire = all.map((): Record<string, unknown> => ({}))
    presentPlatformShopStatus((one: PlatformShopStatusFacts) => one)(wire, all, { lang })
    for (const row of wire) {
      expect(row.standing).not.toBe('')
      expect(row.nextStep).not.toBe('')
    }
    const open: Record<string, unknown>[] = [{}]
    presentPlatformShopStatus((one: PlatformShopStatusFacts) => one)(open, [facts({})], { lang })
    expect(open[0]!.nextStep).toBe('')
  }
})
