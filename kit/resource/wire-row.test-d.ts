// Checked by the type checker alone.
import { defineResource, f, type WireRow, type LocalizedText } from './index.ts'

const label: LocalizedText = { zh: '名称', en: 'Name' }

const thing = defineResource({
  name: 'thing',
  path: '/api/t/thing',
  label,
  tenancy: 'tenant',
  fields: {
    name: f.text({ label }),
    price: f.money({ label }),
    shopId: f.ref('basicShopInfo', { label }),
    owner: f.ref('user', { label, labelKey: 'ownedBy' }),
    status: f.dict('thing_status', { label, numeric: true }),
    kind: f.dict('thing_kind', { label }),
    isOpen: f.boolean({ label }),
    tagIds: f.refs('tag', { label }),
  },
  list: { columns: ['name'] },
})
declare const row: WireRow<typeof thing>

export const texts: string[] = [row.id, row.name, row.shopId, row.shopName, row.ownedBy, row.statusName, row.kindName]
export const more: [number, boolean, string, string] = [row.status, row.isOpen, row.kind, row.tagName]

// @ts-expect-error a field nobody declared
export const lost = row.nmae

// @ts-expect-error the words of a reference stand under the key it says, not under the usual one
export const usual = row.ownerName

// @ts-expect-error an amount is yuan as text, or -1: no figure to calculate with
export const sum: number = row.price

// @ts-expect-error a name has no words beside it
export const words = row.nameName
