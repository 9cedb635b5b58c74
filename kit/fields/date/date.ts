import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'
import { isCalendarDay, sampleDayText } from './days.ts'
import { parseTypedDate } from './typed-date.ts'

/** A day, "yyyy-MM-dd". */
export const dateKind: FieldKind = {
  kind: 'date',
  column: () => 'date',
  parse: (input) => {
    const text = typeof input === 'string' ? input.slice(0, 10) : ''
    return isCalendarDay(text) && (String(input).length === 10 || /^.{10}[ T]\d{2}:\d{2}(:\d{2})?$/.test(String(input)))
      ? { value: text }
      : fieldParseRefusal('not_a_date')
  },
  wire: (stored) => (stored ? String(stored).slice(0, 10) : ''),
  clean: (text) => parseTypedDate(text, false) ?? text,
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'date' }),
  sample: (_field, n) => sampleDayText(n),
  sortable: true,
  readsAs: 'day',
  isPicked: true,
  rangeSuffixes: ['datege', 'datele'],
  sheet: { look: 'day', width: 12, hint: { zh: '日期', en: 'Date' } },
  inRules: { zh: "如 '2026-01-31'", en: 'for example, 2026-01-31' },
  wrong: () => '2026-02-30',
}
