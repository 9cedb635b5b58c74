import type { ComponentType } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { LocalizedText } from '#kit/resource/localized-text.ts'
import type { SlotFilling } from './page-slots.ts'

/** What `domains/<folder>/<module>/web.ts` exports by default: the pages of a module, each loaded when first opened. */
export type ModulePages = {
  /** Pages made by hand, by menu path; a path may hold `:params`. */
  pages?: Record<string, () => Promise<{ default: ComponentType }>>
  /**
   * Resources whose rows have a page of their own, by its address: `{ goodInfo: '/goods/good/:id' }`. References lead
   * there.
   */
  rowPages?: Record<string, string>
  /** Resources whose page is derived from the declaration, by menu path. */
  resources?: Record<
    string,
    () => Promise<{ resource: Resource<any, any>; /** One sentence below the title. */ intro?: LocalizedText }>
  >
  /** What this module puts into places of other modules' pages. */
  fills?: readonly SlotFilling[]
}
