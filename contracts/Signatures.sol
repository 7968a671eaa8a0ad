// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice Whether an account signed a digest: with its key, or by its code (ERC-1271).
library Signatures {
    /// @dev The key comes first. `SignatureChecker.isValidSignatureNow` asks only the code of an account that has any,
    /// and so refuses the key of an account whose delegate (EIP-7702) does not implement ERC-1271.
    function isSignedBy(address account, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && signer == account) return true;
        if (account.code.length == 0) return false;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(account, digest, signature);
    }
}
