import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { deliveryAddress } from './delivery-address.resource.ts'

const intro = {
  zh: '顾客在小程序里保存的收货地址，手机号已隐藏',
  en: 'Delivery addresses customers saved in the mini program. Phone numbers are hidden.',
}

export default function DeliveryAddressPage() {
  return <ResourcePage resource={deliveryAddress} page={{ intro }} />
}
