import type { Resource, Words } from '#kit/resource/index.ts'
import { definePageSlot } from '#kit/web/page-slots.ts'
import type { PageParts } from '#kit/web/resource-page.tsx'

/** The rows of a family that are a customer's, as a tab on the customer's page. */
export type CustomerHistory = {
  resource: Resource<any, any>
  label: Words
  /** Columns of the list that say nothing here. */
  hidden: readonly string[]
  parts?: PageParts
}

export const customerHistories = definePageSlot<CustomerHistory>('customer.histories')
