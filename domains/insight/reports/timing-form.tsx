import type { InputProps } from '#kit/fields/web-kind.ts'
import { webKindOf } from '#kit/fields/web.ts'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import type { reportTiming } from './report-timing.resource.ts'
import { ViewInput } from './view-input.tsx'

/** A view has no page, a report no alarm. */
function KindInput(props: InputProps) {
  const { Input } = webKindOf(props.field)
  const { reportId, viewId } = props.values
  const without = reportId ? ['alarm'] : viewId ? ['page'] : []
  return <Input {...props} field={{ ...props.field, without }} />
}

const layout: LayoutOf<typeof reportTiming> = [
  { fields: ['name'] },
  { fields: ['reportId'], when: ({ viewId }) => !viewId },
  { fields: ['viewId'], when: ({ reportId }) => !reportId },
  { fields: ['kind', 'cron'] },
  { fields: ['threshold'], when: ({ kind }) => kind === 'alarm' },
]

/** How a timing is filled in wherever it is made: of a report or of a view, whichever was chosen. */
export const timingForm = { inputs: { viewId: ViewInput, kind: KindInput }, layout }
