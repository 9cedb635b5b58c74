import type { ComponentType } from 'react'
import type { IconName } from '../../base/icon-names.ts'
import type { LocalizedText } from '../../base/localized-text.ts'
import { definePageSlot } from '../base/page-slots.ts'
import type { SavedView } from './use-views.ts'

/** An action that a module of a higher layer adds to saved views: its menu entry and the dialog it opens. */
export type SavedViewAction = {
  key: string
  label: LocalizedText
  icon: IconName
  /** Permission code the user needs. */
  can: string
  Dialog: ComponentType<{ view: SavedView; onClose: () => void }>
}
export const savedViewActionsSlot = definePageSlot<SavedViewAction>('view acts')
