import { sampleDayText, normalizeDatetime } from '../date/days.ts'
import { parseTypedDate } from '../date/typed-date.ts'
import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** A moment, "yyyy-MM-dd HH:mm:ss" in Asia/Shanghai. */
export const datetimeKind: FieldKind = {
  kind: 'datetime',
  column: () => 'timestamptz(3)',
  parse: (input, field) => {
    const value = normalizeDatetime(input)
    return value ? { value } : fieldParseRefusal(field.asDay ? 'not_a_date' : 'not_a_datetime')
  },
  wire: (stored) => (stored ? String(stored).slice(0, 19) : ''),
  clean: (text, field) => parseTypedDate(text, true, field.isEnd) ?? text,
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'yyyy-MM-dd HH:mm:ss', examples: ['2026-01-31 08:00:00'] }),
  sample: (_field, n) => `${sampleDayText(n)} 08:00:00`,
  sortable: true,
  readsAs: 'moment',
  isPicked: true,
  rangeSuffixes: ['dategt', 'datelt'],
  sheet: { look: 'moment', width: 20, hint: { zh: '日期和时间', en: 'Date and time' } },
  inRules: { zh: "如 '2026-01-31 08:00'", en: 'for example, 2026-01-31 08:00' },
  wrong: () => '2026-01-31 25:00:00',
}
