import { expect, test } from 'vitest'
import { createLoadShedder } from './load-shedding.ts'

test('one key gets three quarters of the places and no more, and gets them again as it leaves', () => {
  const door = createLoadShedder(8)
  const inside = Array.from({ length: 20 }, () => door.admit('100001')).filter((leave) => leave !== undefined)
  expect([inside.length, door.inside()]).toEqual([6, 6])
  inside[0]!()
  inside[0]!()
  expect(door.inside()).toBe(5)
  expect(door.admit('100001')).toBeTypeOf('function')
  expect(door.admit('100001')).toBeUndefined()
})

test('when all places are taken, who holds less than an equal share is let in, and who rushes is not', () => {
  const door = createLoadShedder(8)
  for (let n = 0; n < 20; n++) door.admit('100001')
  const late = Array.from({ length: 20 }, () => door.admit('100002')).filter((leave) => leave !== undefined)
  // The first key has six of the eight places; the later one still gets an equal share, four.
  expect([late.length, door.inside()]).toEqual([4, 10])
  expect(door.admit('100003')).toBeTypeOf('function')
  expect(door.admit('100001')).toBeUndefined()
})

test('many keys together never get more than twice the places', () => {
  const door = createLoadShedder(8)
  for (let n = 0; n < 100; n++) door.admit(`1000${n}`)
  expect(door.inside()).toBe(16)
})

test(
  'the first refusals come at once, those of who asks again and again are kept ' +
    'back, and others are not kept with them',
  () => {
    let now = 0
    const door = createLoadShedder(8, () => now)
    const times = Array.from({ length: 5000 }, () => door.holdMs('100001'))
    expect(times.slice(0, 50)).toEqual(Array(50).fill(0))
    expect([times[99], times[4999]]).toEqual([100, 2000])
    expect(door.holdMs('100002')).toBe(0)
    now = 60_000
    expect(door.holdMs('100001')).toBe(0)
  },
)
