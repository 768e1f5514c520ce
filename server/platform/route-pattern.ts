/** `/users/{id}` as the router writes it: `/users/:id`. */
export const routePattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
