import type { IconName } from './icon-names.ts'
import type { LocalizedText } from './localized-text.ts'

/** One choice of a dictionary. `colour` is an Ant Design tag colour (success, processing, warning, error, default…). */
export type DictEntry = LocalizedText & { key: string; colour?: string; remark?: string }

/** A system dictionary: seeded into the dictionary tables at start, then maintained on screen. */
export type Dictionary = { code: string; label: LocalizedText; entries: readonly DictEntry[]; biz?: boolean }

export const defineDict = (dictionary: Dictionary): Dictionary => dictionary

/** A directory in the side menu. */
export type MenuGroup = {
  code: string
  label: LocalizedText
  path: string
  icon: IconName
  sort: number
  under?: string
}

/**
 * A permission beside those of its calls. `means` names the verb that whoever holds it may do too: buttons of the
 * protocol's clients have codes of their own for what our calls ask by another.
 */
export type ExtraPermission = LocalizedText & { means?: string }

/**
 * A menu page without a resource of its own (or beside it): a board, a dashboard. `elsewhere`: only clients of the
 * protocol have such a page, and our own browser app does not show it.
 */
export type MenuPage = MenuGroup & { under: string; permissions?: Record<string, ExtraPermission>; elsewhere?: true }
