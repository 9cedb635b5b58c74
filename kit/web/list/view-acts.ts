import type { ComponentType } from 'react'
import type { IconName } from '../../resource/icon-names.ts'
import type { LocalizedText } from '../../resource/localized-text.ts'
import { definePageSlot } from '../page-slots.ts'
import type { SavedView } from './use-views.ts'

/** What modules above do with a saved view: an entry of the menu, and the dialog it opens. */
export type SavedViewAction = {
  key: string
  label: LocalizedText
  icon: IconName
  /** Whether the user may at all, by permission code. */
  can: string
  Dialog: ComponentType<{ view: SavedView; onClose: () => void }>
}
export const savedViewActionsSlot = definePageSlot<SavedViewAction>('view acts')
