import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'

export type StaffMember = { userId: string; position: string; name: string; account: string }

/** Loads the staff of a shop. */
export const useShopStaff = (shopId: string) =>
  useQuery({
    queryKey: ['detail', basicShopInfo.name, 'staff', shopId],
    queryFn: () => apiGet<StaffMember[]>(`${basicShopInfo.path}/staff`, { id: shopId }, { quiet: true }),
    staleTime: 0,
  })
