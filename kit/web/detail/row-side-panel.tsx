import { useSlotContents } from '../page-slots.ts'
import { rowSidePanelSlot } from './side-panel-slot.ts'

/** The places of what modules above show with a row: in a detail, and in pages that rows have of their own. */
export function RowSidePanel({ resource, id }: { resource: string; id: string }) {
  return useSlotContents(rowSidePanelSlot)?.map((Part, at) => <Part key={at} resource={resource} id={id} />)
}
