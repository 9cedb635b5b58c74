import { useSlotContents } from '../base/page-slots.ts'
import { rowSidePanelSlot } from './side-panel-slot.ts'

/** Shows, for one row, what the modules contribute to `rowSidePanelSlot`. Used in details and on pages of one row. */
export function RowSidePanel({ resource, id }: { resource: string; id: string }) {
  return useSlotContents(rowSidePanelSlot)?.map((Part, at) => <Part key={at} resource={resource} id={id} />)
}
