import { expect, test } from 'vitest'
import { presentStanding, standingAt, type StandingFacts } from './standing.ts'

const facts = (more: Partial<StandingFacts>): StandingFacts => ({
  review: 'approved',
  isOnline: true,
  hours: 'open',
  isPaused: false,
  syncStatus: 2,
  ...more,
})

test('a shop at a platform has one state: what was refused and is offline does not trade', () => {
  expect(standingAt(facts({ review: 'refused', isOnline: false }))).toBe('refused')
  expect(standingAt(facts({ review: 'refused', isOnline: undefined }))).toBe('refused')
  expect(standingAt(facts({ review: 'refused' }))).toBe('openChangeRefused')
  expect(standingAt(facts({ review: 'none', isOnline: false }))).toBe('notApplied')
  expect(standingAt(facts({ review: 'underReview', isOnline: false }))).toBe('underReview')
  expect(standingAt(facts({ isOnline: false }))).toBe('offline')
  expect(standingAt(facts({ isPaused: true, hours: 'resting' }))).toBe('paused')
  expect(standingAt(facts({ isOnline: undefined, hours: 'closed' }))).toBe('closed')
  expect(standingAt(facts({ hours: 'resting' }))).toBe('resting')
  expect(standingAt(facts({}))).toBe('open')
})

test('every state has its words in both languages, and one next step where somebody has something to do', () => {
  const all: StandingFacts[] = [
    facts({ review: 'refused', isOnline: false }),
    facts({ review: 'none' }),
    facts({ review: 'underReview', isOnline: false }),
    facts({ isOnline: false }),
    facts({ syncStatus: 3 }),
  ]
  for (const lang of ['zh', 'en'] as const) {
    const wire = all.map((): Record<string, unknown> => ({}))
    presentStanding((one: StandingFacts) => one)(wire, all, { lang })
    for (const row of wire) {
      expect(row.standing).not.toBe('')
      expect(row.nextStep).not.toBe('')
    }
    const open: Record<string, unknown>[] = [{}]
    presentStanding((one: StandingFacts) => one)(open, [facts({})], { lang })
    expect(open[0]!.nextStep).toBe('')
  }
})
