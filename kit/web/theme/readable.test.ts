import { formatAmount } from '#kit/fields/money/cents.ts'
import { describe, expect, it } from 'vitest'
import { describeCron } from '#kit/fields/cron/cron-sentence.ts'
import { normalizeNumberText } from '#kit/fields/base/clean-text.ts'
import { stepNumberText } from '#kit/fields/number/typed-number.ts'
import { f } from '#kit/resource/index.ts'
import { confirmationText } from '../row/action-words.ts'
import { flattenRowTree, nestRowsByParent } from '../list/nest.ts'
import { fileNameFromLink, isAcceptedFileType } from '../inputs/upload-file.ts'
import { formatRelativeTime } from '../parts/when-words.ts'

const now = Date.parse('2026-03-02T12:00:00+08:00')

describe('times', () => {
  it('are told from now, in Shanghai’s clock', () => {
    expect(formatRelativeTime('2026-03-02 11:57:00', 'zh', now)).toBe('3 分钟前')
    expect(formatRelativeTime('2026-03-02 11:57:00', 'en', now)).toBe('3 min ago')
    expect(formatRelativeTime('2026-03-02 11:59:58', 'zh', now)).toBe('刚刚')
    expect(formatRelativeTime('2026-03-01 12:00:00', 'en', now)).toBe('1 day ago')
    expect(formatRelativeTime('2026-03-02 14:30:00', 'zh', now)).toBe('2 小时后')
  })

  it('beyond a week are dates, the year only when it is another', () => {
    expect(formatRelativeTime('2026-02-01 08:30:00', 'zh', now)).toBe('02-01 08:30')
    expect(formatRelativeTime('2025-02-01 08:30:00', 'zh', now)).toBe('2025-02-01')
  })

  it('that are none stay as they came', () => {
    expect(formatRelativeTime('soon', 'en', now)).toBe('soon')
  })
})

describe('amounts', () => {
  it('have groups and two digits, without going through fractions', () => {
    expect(formatAmount('1234.5')).toBe('1,234.50')
    expect(formatAmount('90071992547409.93')).toBe('90,071,992,547,409.93')
    expect(formatAmount('-12')).toBe('−12.00')
    expect(formatAmount('123')).toBe('123.00')
  })
})

describe('a confirmation', () => {
  const label = { zh: '同意', en: 'Approve' }
  const fields = {
    amount: f.money({ label: { zh: '金额', en: 'Amount' } }),
    wxUserId: f.ref('wxUser', { label: { zh: '', en: '' } }),
  }
  it('says what will happen to what', () => {
    const confirm = { zh: '退款 {amount} 给 {wxUserId}?', en: 'Refund {amount} to {wxUserId}?' }
    expect(
      confirmationText({ label, confirm }, 'zh', fields, [{ amount: '12.50', wxUserId: '9', wxUserName: '王小明' }]),
    ).toBe('退款 ¥12.50 给 王小明?')
  })
  it('counts many rows', () => {
    const confirm = { zh: '审核 {count} 条?', en: 'Approve {count}?' }
    expect(confirmationText({ label, confirm }, 'en', fields, [{}, {}, {}])).toBe('Approve 3?')
  })
  it('of one row is none of many: they are told by their number and their sum', () => {
    const confirm = {
      zh: '同意退款 {amount} 给 {wxUserId}？不能撤回。',
      en: 'Refund {amount} to {wxUserId}? It is for good.',
    }
    const rows = [
      { amount: '43.60', wxUserId: '9', wxUserName: '王小明' },
      { amount: '14.60', wxUserId: '8', wxUserName: '李四' },
    ]
    expect(confirmationText({ label, confirm }, 'zh', fields, rows)).toBe('同意：共 2 条，金额合计 ¥58.20？不能撤回。')
    const all = { count: 1203, sums: { amount: '1058.20' } }
    expect(confirmationText({ label, confirm }, 'en', fields, rows, all)).toBe(
      'Approve: 1203 rows, Amount ¥1,058.20 in all? It is for good.',
    )
  })
  it('of many is cut at the ends of sentences alone, and not within 1.5 or e.g.', () => {
    const textOf = (en: string) =>
      confirmationText({ label, confirm: { zh: '同意 {amount}？', en } }, 'en', fields, [{}, {}])
    expect(textOf('Refund {amount}? A fee of 1.5 percent stays. It is for good.')).toBe(
      'Approve: 2 rows? A fee of 1.5 percent stays. It is for good.',
    )
    expect(textOf('Refund {amount} within 1.5 hours. It is for good.')).toBe('Approve: 2 rows? It is for good.')
    expect(textOf('Refund to a card, e.g. {wxUserId}. It is for good.')).toBe('Approve: 2 rows? It is for good.')
  })
})

describe('schedules', () => {
  it.each([
    ['0 8 * * *', '在08:00，每天', 'At 08:00, every day'],
    ['30 9 * * 1-5', '在09:30，星期一至星期五', 'At 09:30, Monday through Friday'],
    ['*/15 * * * *', '每隔15分钟', 'Every 15 minutes'],
    ['0 2 1 * *', '在02:00，限每月1号', 'At 02:00, on day 1 of the month'],
    ['0 8,20 * * 0', '在08:00和20:00，仅星期日', 'At 08:00 and 20:00, only on Sunday'],
    ['5 * * * *', '在整点后的第5分钟', 'At 5 minutes past the hour'],
    ['0 */2 * * *', '整点，每隔2小时', 'On the hour, every 2 hours'],
    ['* * * * *', '每分钟', 'Every minute'],
    [
      '0 0 1 1,7 *',
      '在00:00，限每月1号，仅于一月和七月份',
      'At 00:00, on day 1 of the month, only in January and July',
    ],
    [
      '0 0 1 1 0',
      '在00:00，限每月1号，或者为星期日，仅于一月份',
      'At 00:00, on day 1 of the month, and on Sunday, only in January',
    ],
    ['0 0 * 1 7', '在00:00，仅星期日，仅于一月份', 'At 00:00, only on Sunday, only in January'],
  ])('%s reads as a sentence', (cron, zh, en) => {
    expect(describeCron(cron, 'zh')).toBe(zh)
    expect(describeCron(cron, 'en')).toBe(en)
  })
})

describe('typed numbers', () => {
  it('may come from a Chinese keyboard or a spreadsheet', () => {
    expect(normalizeNumberText('１２．５')).toBe('12.5')
    expect(normalizeNumberText('¥1,234.50')).toBe('1234.50')
    expect(normalizeNumberText('abc')).toBe('abc')
  })
  it('step by one and keep their decimals', () => {
    expect(stepNumberText('12.50', 1)).toBe('13.50')
    expect(stepNumberText('', 1)).toBe('1')
    expect(stepNumberText('-0.5', 1)).toBe('0.5')
    expect(stepNumberText('x', 1)).toBeUndefined()
  })
})

describe('trees', () => {
  const rows = [
    { id: '1', parentId: '0' },
    { id: '2', parentId: '1' },
    { id: '3', parentId: '9' },
  ]
  it('are built from flat rows; a row without its parent is a root', () => {
    const forest = nestRowsByParent(rows, 'parentId')
    expect(forest.map((row) => row.id)).toEqual(['1', '3'])
    expect(flattenRowTree(forest).map((row) => row.id)).toEqual(['1', '2', '3'])
    expect(rows[0]).not.toHaveProperty('children')
  })
  it('that come as trees stay as they are', () => {
    const forest = [{ id: '1', children: [{ id: '2' }] }]
    expect(nestRowsByParent(forest, 'parentId')).toEqual(forest)
  })
})

describe('uploads', () => {
  it('know what they accept', () => {
    expect(isAcceptedFileType({ name: 'a.PDF', type: '' }, ['.pdf'])).toBe(true)
    expect(isAcceptedFileType({ name: 'a.png', type: 'image/png' }, ['image/*'])).toBe(true)
    expect(isAcceptedFileType({ name: 'a.svg', type: 'image/svg+xml' }, ['image/png', 'image/jpeg'])).toBe(false)
  })
  it('are called by the readable end of their link', () => {
    expect(fileNameFromLink('/files/2026/%E8%90%A5%E4%B8%9A.pdf?v=1')).toBe('营业.pdf')
    expect(fileNameFromLink('/files/100%.pdf')).toBe('100%.pdf')
  })
})
