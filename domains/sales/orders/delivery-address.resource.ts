import { longitudeField, latitudeField } from '#domains/shops/shops/index.ts'
import { wxUserIdField, customerPhoneField } from '#domains/sales/customers/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** A customer's delivery address. Customers write these rows in their own app; the office reads them. */
export const deliveryAddress = defineResource({
  name: 'deliveryAddress',
  path: '/api/shop/deliveryAddress',
  label: { zh: '收货地址', en: 'Delivery address' },
  tenancy: 'tenant',
  writer: 'customer',
  menu: { under: 'order', path: '/order/deliveryAddress', icon: 'environment', sort: 60 },
  title: 'address',
  fields: {
    wxUserId: wxUserIdField({ form: 'read' }),
    name: f.text({
      label: { zh: '收货人', en: 'Recipient' },
      max: 50,
      mask: 'name',
      form: 'read',
      search: 'like',
      width: 110,
    }),
    phone: customerPhoneField({ form: 'read' }),
    province: f.region({ label: { zh: '省份', en: 'Province' }, isLevel: true, form: 'read', width: 90 }),
    city: f.region({ label: { zh: '城市', en: 'City' }, isLevel: true, form: 'read', width: 90 }),
    district: f.region({ label: { zh: '区县', en: 'District' }, isLevel: true, form: 'read', width: 90 }),
    address: f.text({ label: { zh: '详细地址', en: 'Address' }, max: 200, form: 'read', search: 'like', width: 260 }),
    longitude: longitudeField({ form: 'read' }),
    latitude: latitudeField({ form: 'read' }),
    isDefault: f.boolean({ label: { zh: '默认地址', en: 'Default address' }, default: false, form: 'read', width: 90 }),
  },
  list: {
    columns: ['address', 'name', 'phone', 'wxUserId', 'city', 'district', 'isDefault', 'createTime'],
    time: false,
    sort: '-createTime',
  },
  row: { title: 'address', sub: ['name', 'wxUserId'] },
  indexes: [
    ['wxUserId', 'createTime'],
    ['createTime', 'id'],
  ],
})
