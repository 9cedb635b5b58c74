import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { DateInput } from '../date/date.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const datetimeWeb: WebKind = {
  Cell: ({ field, value, place }) =>
    field.asDay ? (
      <span className="kit-number">{String(value).slice(0, 10)}</span>
    ) : (
      <RelativeTime at={String(value)} full={place === 'detail'} />
    ),
  Input: DateInput,
  width: 130,
  drawnAs: 'moment',
  savesOnChoice: true,
}
