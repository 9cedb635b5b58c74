import type { ComponentType } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { SlotFilling } from './page-slots.ts'

/**
 * Pages of a module, exported by default from `domains/<folder>/<module>/web.ts`. Each page is loaded when first
 * opened.
 */
export type ModulePages = {
  /** Handwritten pages by menu path; a path may contain `:params`. */
  pages?: Record<string, () => Promise<{ default: ComponentType }>>
  /**
   * Resources whose rows have a page of their own, with its address: `{ goodInfo: '/goods/good/:id' }`. References to
   * rows link there.
   */
  rowPages?: Record<string, string>
  /** Resources whose page is generated from the declaration, by menu path. */
  resources?: Record<
    string,
    () => Promise<{ resource: Resource<any, any>; /** One sentence below the title. */ intro?: LocalizedText }>
  >
  /** Content this module puts into slots of other modules' pages. */
  fills?: readonly SlotFilling[]
}
