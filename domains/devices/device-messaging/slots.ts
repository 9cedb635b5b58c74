import type { WireRow } from '#kit/resource/index.ts'
import type { ComponentType } from 'react'
import type { IconName } from '#kit/base/icon-names.ts'
import type { LocalizedText } from '#kit/web/base/language.tsx'
import { definePageSlot } from '#kit/web/base/page-slots.ts'
import type { deviceLink } from './device-link.resource.ts'

export type DeviceLinkRow = WireRow<typeof deviceLink>

/** A row action of the page of device links that opens a dialog. */
export type DeviceLinkAction = {
  key: string
  label: LocalizedText
  icon: IconName
  /** Permission code the action needs. */
  can: string
  isFor: (row: DeviceLinkRow) => boolean
  Dialog: ComponentType<{ row: DeviceLinkRow; onClose: () => void }>
}

/** Further row actions for the page of device links. */
export const deviceLinkActionsSlot = definePageSlot<readonly DeviceLinkAction[]>('deviceLink.actions')
