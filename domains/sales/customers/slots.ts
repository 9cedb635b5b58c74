import type { ComponentType } from 'react'
import type { Resource, LocalizedText } from '#kit/resource/index.ts'
import type { ButtonPermissionCode } from '#kit/web/session/can.ts'
import { definePageSlot } from '#kit/web/base/page-slots.ts'
import type { PageParts } from '#kit/web/page/resource-page.tsx'

/** A tab of the customer page with a resource's rows of that customer. */
export type CustomerHistory = {
  resource: Resource<any, any>
  label: LocalizedText
  /** Columns left out of the tab, for example the customer's own name. */
  hidden: readonly string[]
  parts?: PageParts
}

export const customerHistoriesSlot = definePageSlot<CustomerHistory>('customer.histories')

/** An action of a dependent module on the customer page, shown to users with permission `code`. */
export type CustomerPageAction = {
  key: string
  label: LocalizedText
  code: ButtonPermissionCode
  Dialog: ComponentType<{ customer: { id: string; nickname: string }; onClose: () => void }>
}

export const customerActionsSlot = definePageSlot<CustomerPageAction>('customer.acts')
