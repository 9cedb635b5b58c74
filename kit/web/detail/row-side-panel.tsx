import { useSlot } from '../page-slots.ts'
import { rowBeside } from './side-panel-slot.ts'

/** The places of what rooms above show with a row: in a detail, and in pages that rows have of their own. */
export function RowBeside({ resource, id }: { resource: string; id: string }) {
  return useSlot(rowBeside)?.map((Part, at) => <Part key={at} resource={resource} id={id} />)
}
