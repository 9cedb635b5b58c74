import type { InputProps } from '#kit/fields/web-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import type { reportTiming } from './report-timing.resource.ts'
import { SavedViewInput } from './view-input.tsx'

/** Input for the kind of delivery: a saved view has no page, a report no alarm. */
function KindInput(props: InputProps) {
  const { Input } = webFieldKindOf(props.field)
  const { reportId, viewId } = props.values
  const without = reportId ? ['alarm'] : viewId ? ['page'] : []
  return <Input {...props} field={{ ...props.field, without }} />
}

const layout: FormLayoutOf<typeof reportTiming> = [
  { fields: ['name'] },
  { fields: ['reportId'], when: ({ viewId }) => !viewId },
  { fields: ['viewId'], when: ({ reportId }) => !reportId },
  { fields: ['kind', 'cron'] },
  { fields: ['threshold'], when: ({ kind }) => kind === 'alarm' },
]

/** Form of a schedule, for a report or a saved view. */
export const reportTimingFormProps = { inputs: { viewId: SavedViewInput, kind: KindInput }, layout }
