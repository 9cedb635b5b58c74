import { defineResource, f, reusableField, nameField } from '#kit/resource/index.ts'
import { checkDigit, listBarcodeForms, findPrintedBarcodeFault } from './barcode.ts'

const sampleBarcode = (n: number) => {
  const digits = `690${String(100_000_000 + n)}`
  return `${digits}${checkDigit(digits)}`
}

/** Reusable field for the barcode of a row. */
export const upcField = reusableField.text({
  label: { zh: '条码', en: 'Barcode' },
  max: 13,
  search: 'likeright',
  forms: listBarcodeForms,
  width: 140,
})

/** The barcode library: entries of the platform for all tenants, plus each tenant's own. */
export const barcodes = defineResource({
  name: 'barcodes',
  path: '/api/shop/barcodes',
  label: { zh: '条码库', en: 'Barcode', many: 'Barcode catalog' },
  tenancy: 'shared',
  menu: { under: 'goods', path: '/goods/barcodes', icon: 'barcode', sort: 50 },
  title: 'name',
  titleCode: 'upc',
  fields: {
    upc: upcField({ required: true, form: 'add', rule: findPrintedBarcodeFault, sample: sampleBarcode }),
    name: nameField({ required: true, max: 100, width: 220 }),
    spec: f.text({ label: { zh: '规格', en: 'Size' }, max: 50, width: 100 }),
    brand: f.text({ label: { zh: '品牌', en: 'Brand' }, max: 50, search: 'like', width: 100 }),
    unit: f.text({ label: { zh: '单位', en: 'Unit' }, max: 10, width: 70 }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, width: 70 }),
    suggestPrice: f.money({ label: { zh: '建议售价', en: 'Suggested price' }, max: 99_999_999, width: 110 }),
    origin: f.text({ label: { zh: '产地', en: 'Origin' }, max: 50 }),
    category: f.text({ label: { zh: '类别', en: 'Category' }, max: 50, search: 'like', width: 110 }),
  },
  list: {
    inline: ['suggestPrice', 'brand', 'category'],
    bulk: ['brand', 'category', 'unit'],
    columns: ['upc', 'name', 'spec', 'brand', 'unit', 'suggestPrice', 'origin', 'category'],
    sort: 'upc',
  },
  unique: [['upc']],
})
