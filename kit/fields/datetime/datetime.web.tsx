import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { LazyDateInput } from '../date/date.web.tsx'
import type { WebFieldKind } from '../web-kind.ts'

export const datetimeWebKind: WebFieldKind = {
  Cell: ({ field, value, place }) =>
    field.asDay ? (
      <span className="kit-number">{String(value).slice(0, 10)}</span>
    ) : (
      <RelativeTime at={String(value)} full={place === 'detail'} />
    ),
  Input: LazyDateInput,
  width: 130,
  drawnAs: 'moment',
  savesOnChoice: true,
}
