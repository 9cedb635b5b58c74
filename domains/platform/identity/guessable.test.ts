import { expect, test } from 'vitest'
import { md5Hex } from '#kit/server/security/index.ts'
import { guessablePasswordReason } from './guessable.ts'

const now = new Date('2026-12-01T00:00:00Z')

const common = ['123456789', 'Password1', 'woaini1314', 'QWERTY', '1qaz2wsx', 'abc123456']
const own = ['', 'chenmei', 'ChenMei', 'Chenmei123', 'chenmei@2026', 'chenmei2025', 'chenmeichenmei', 'iemnehc']
const free = ['Regen-im-Mai', 'chenmei geht heim']

test.each([...common, ...own, ...free])('"%s" is told by its md5 alone', (word) => {
  const why = common.includes(word) ? 'common' : own.includes(word) ? 'account' : undefined
  expect(guessablePasswordReason(md5Hex(word), 'ChenMei', now)).toBe(why)
})
