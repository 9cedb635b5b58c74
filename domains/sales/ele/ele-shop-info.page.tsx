import { useNavigate } from 'react-router'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { eleShopInfo } from './ele-shop-info.resource.ts'

const words = {
  intro: {
    zh: '门店在饿了么的店铺：资料、审核与营业状态',
    en: 'Your stores at Ele.me: details, review and status',
  },
  aptitude: { zh: '资质', en: 'Licenses' },
  goods: { zh: '商品', en: 'Products' },
}

/** Shops at Ele, with links to the licences and products of each. */
export default function EleShopInfoPage() {
  const navigate = useNavigate()
  const paths = { aptitude: useResourcePath('eleAptitude'), goods: useResourcePath('eleSkuInfo') }
  return (
    <ResourcePage
      resource={eleShopInfo}
      page={{
        intro: words.intro,
        rowActions: (row) => [
          ...(paths.aptitude
            ? [
                {
                  key: 'aptitude',
                  label: words.aptitude,
                  icon: 'safety-certificate' as const,
                  run: () => void navigate(`/ele/eleAptitude/${String(row.id)}`),
                },
              ]
            : []),
          ...(paths.goods
            ? [
                {
                  key: 'goods',
                  label: words.goods,
                  icon: 'product' as const,
                  run: () => void navigate(`${paths.goods}?eleShopId=${String(row.id)}`),
                },
              ]
            : []),
        ],
      }}
    />
  )
}
