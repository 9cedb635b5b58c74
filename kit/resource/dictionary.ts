import type { IconName } from '../base/icon-names.ts'
import type { LocalizedText } from '../base/localized-text.ts'

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
 * A permission that no route of the resource needs by its name. `means`: action of the resource it also grants, for
 * buttons of protocol clients whose codes differ from ours.
 */
export type ExtraPermission = LocalizedText & { means?: string }

/**
 * A menu page beside those of the resources, such as a dashboard. `elsewhere`: only other clients of the protocol have
 * this page; our own browser app hides it.
 */
export type MenuPage = MenuGroup & { under: string; permissions?: Record<string, ExtraPermission>; elsewhere?: true }
