import { expect, it } from 'vitest'
import { deviceLinkDictionaries } from './dictionaries.ts'
import { offlineReason } from './offline-reason.ts'

const row = {
  state: 'offline',
  lastSeenTime: '2026-11-20 10:00:00',
  endReason: 'silent',
  endReasonName: '心跳超时',
  refusedTime: '',
  refusedReason: '',
  refusedReasonName: '',
  keyIssuedTime: '2026-11-01 10:00:00',
}
const refused = { refusedReason: 'wrongKey', refusedReasonName: '密钥不对' }

it('a device that is there has nothing to explain', () => {
  expect(offlineReason({ ...row, state: 'online', ...refused, refusedTime: '2026-11-21 10:00:00' })).toBeUndefined()
})

it('why a device is away is what happened last: a refusal before it was heard of explains nothing', () => {
  expect(offlineReason(row)?.why).toBe('心跳超时')
  expect(offlineReason({ ...row, ...refused, refusedTime: '2026-11-20 10:05:00' })?.why).toBe('密钥不对')
  expect(offlineReason({ ...row, ...refused, refusedTime: '2026-11-20 09:59:00' })?.why).toBe('心跳超时')
})

it('without a secret, never heard of, not heard yet and nothing known are told apart', () => {
  const looks = [
    { keyIssuedTime: '' },
    { lastSeenTime: '', endReason: '' },
    { state: 'unknown' },
    { endReason: '', endReasonName: '' },
  ].map((more) => offlineReason({ ...row, ...more })?.look.zh)
  expect(new Set(looks).size).toBe(4)
})

it('each reason that is kept says what to look at', () => {
  const keys = (code: string) => deviceLinkDictionaries.find((one) => one.code === code)!.entries.map(({ key }) => key)
  const look = (more: object) => offlineReason({ ...row, ...more })!.look.zh
  const all = [
    ...keys('link_end').map((endReason) => look({ endReason })),
    ...keys('link_refusal').map((refusedReason) => look({ refusedReason, refusedTime: '2026-11-21 10:00:00' })),
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(all).not.toContain(look({ endReason: '' }))
})
