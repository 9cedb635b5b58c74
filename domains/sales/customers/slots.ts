import type { ComponentType } from 'react'
import type { Resource, LocalizedText } from '#kit/resource/index.ts'
import type { ButtonPermissionCode } from '#kit/web/session/can.ts'
import { definePageSlot } from '#kit/web/page-slots.ts'
import type { PageParts } from '#kit/web/resource-page.tsx'

/** The rows of a family that are a customer's, as a tab on the customer's page. */
export type CustomerHistory = {
  resource: Resource<any, any>
  label: LocalizedText
  /** Columns of the list that say nothing here. */
  hidden: readonly string[]
  parts?: PageParts
}

export const customerHistoriesSlot = definePageSlot<CustomerHistory>('customer.histories')

/** What a module above does for a customer, offered on the customer's page to who may. */
export type CustomerPageAction = {
  key: string
  label: LocalizedText
  code: ButtonPermissionCode
  Dialog: ComponentType<{ customer: { id: string; nickname: string }; onClose: () => void }>
}

export const customerActionsSlot = definePageSlot<CustomerPageAction>('customer.acts')
