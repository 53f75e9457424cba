import { LoginBody, RegisterBody } from '@beltway/contracts/identity';
import { z } from 'zod';

// As the server checks it; but of what is missing, that it is missing, and not how it should be.
const email = z.string().trim().min(1, 'Please enter your email address').pipe(LoginBody.shape.email);
const password = z.string().min(1, 'Please enter your password').pipe(LoginBody.shape.password);

export const LoginSchema = z.object({ email, password });
export const RegisterSchema = RegisterBody.extend({ email, password, role: RegisterBody.shape.role.unwrap() });
