import type { Resource } from '#kit/resource/define-resource.ts'
import type { EndlessScroll } from './use-endless-list.ts'

/** What `RowLines` needs besides a table's props: whose rows they are, and how the list goes on. */
export type RowLinesOptions = {
  resource: Resource<any, any>
  /** Filters of the list, for the totals of its day headings; without them headings show the day alone. */
  params?: Record<string, unknown>
  scroll?: EndlessScroll
  /** Fields whose value is the same in all rows, such as the only shop, which is left out. */
  omit?: ReadonlySet<string>
  /** Rows are being chosen: a touch on a row chooses it. */
  isChoosing?: boolean
  onChoosing?: (isChoosing: boolean) => void
}
