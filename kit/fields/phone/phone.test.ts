import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { phoneKind } from './phone.ts'

fieldKindContract(phoneKind, {
  accepts: [
    ['13800000000', '13800000000'],
    [13800000000, '13800000000'],
    [' 13800000000 ', '13800000000'],
  ],
  refuses: [
    ['1380000000', 'phone_length'],
    ['138000000001', 'phone_length'],
    ['12800000000', 'phone_format'],
    ['abc', 'phone_format'],
    ['138-0000-0000', 'phone_format'],
    ['057188888888', 'phone_length'],
    [{}, 'phone_format'],
    ['0571-8', 'phone_format', { landline: true }],
  ],
  empty: '',
})

fieldKindContract(phoneKind, {
  options: { landline: true },
  accepts: [
    ['0571-88888888', '0571-88888888'],
    ['88888888', '88888888'],
    ['400-820-8820', '400-820-8820'],
    ['13800000000', '13800000000'],
  ],
  refuses: [
    ['12', 'phone_length'],
    ['call me', 'phone_format'],
  ],
  empty: '',
})
