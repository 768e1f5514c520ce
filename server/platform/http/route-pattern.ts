/** Converts `/users/{id}` to the router's syntax: `/users/:id`. */
export const toRoutePattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
