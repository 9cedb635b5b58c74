import { When } from '#kit/web/parts/when.tsx'
import { DateInput } from '../date/date.web.tsx'
import type { WebKind } from '../web-kind.ts'

export const datetimeWeb: WebKind = {
  Cell: ({ value, place }) => <When at={String(value)} full={place === 'detail'} />,
  Input: DateInput,
  width: 130,
  drawnAs: 'moment',
  savesOnChoice: true,
}
