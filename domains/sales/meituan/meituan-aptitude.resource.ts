import { shopIdField } from '#domains/shops/shops/index.ts'
import { meituanShopIdField } from './meituan-shop-info.resource.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { syncFields } from '#domains/sales/delivery-platforms/index.ts'

/** A shop's licences as Meituan requires them: one row per shop. */
export const meituanAptitude = defineResource({
  name: 'meituanAptitude',
  path: '/api/meituan/meituanAptitude',
  label: { zh: '美团资质', en: 'Meituan license', isName: true },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanAptitude', icon: 'safety-certificate', sort: 80 },
  title: 'licenseName',
  fields: {
    meituanShopId: meituanShopIdField({ onRemoval: 'remove', required: true, form: 'add' }),
    shopId: shopIdField({ form: 'hidden' }),
    licenseName: f.text({
      label: { zh: '证照名称', en: 'Name on license' },
      required: true,
      max: 100,
      search: 'like',
      width: 180,
    }),
    licenseNumber: f.text({
      label: { zh: '证照编号', en: 'License number' },
      required: true,
      max: 50,
      search: 'eq',
      width: 180,
    }),
    legalPerson: f.text({ label: { zh: '法定代表人', en: 'Legal representative' }, max: 50, width: 110 }),
    licenseAddress: f.text({ label: { zh: '证照地址', en: 'Registered address' }, max: 200 }),
    isLongTerm: f.boolean({ label: { zh: '长期有效', en: 'No expiry' }, default: false, width: 90 }),
    validDate: f.date({
      label: { zh: '有效期至', en: 'Valid until' },
      requiredWhen: { isLongTerm: { ne: true } },
      search: 'range',
      width: 110,
    }),
    photos: f.pictures({ label: { zh: '营业执照照片', en: 'Business license photos' }, maxCount: 5 }),
    foodLicenseNumber: f.text({ label: { zh: '食品经营许可证编号', en: 'Food license number' }, max: 50 }),
    foodPhotos: f.pictures({ label: { zh: '食品经营许可证照片', en: 'Food license photos' }, maxCount: 5 }),
    foodValidDate: f.date({ label: { zh: '食品许可有效期至', en: 'Food license valid until' } }),
    ...syncFields,
  },
  list: {
    columns: [
      'meituanShopId',
      'shopId',
      'licenseName',
      'syncStatus',
      'licenseNumber',
      'legalPerson',
      'validDate',
      'isLongTerm',
      'syncTime',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['meituanShopId']],
})
